// The plugin for bundlers: schemas from types. See @toolwright/typed.
export { bun, esbuild, rolldown, rollup, rspack, vite, webpack } from '@toolwright/typed/plugin'
