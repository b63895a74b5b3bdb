// The plugin for bundlers: schemas from types (see @toolwright/typed), and `.agency` files as modules.
import { agency, agencyOfBun } from '@toolwright/agency/plugin'
import { bun as bunTypes, types } from '@toolwright/typed/plugin'
import { createUnplugin, type UnpluginInstance } from 'unplugin'

const plugin: UnpluginInstance<undefined, true> = createUnplugin((_, meta) => [
  types(undefined, meta),
  agency(undefined, meta),
])

export const { vite, rollup, rolldown, esbuild, webpack, rspack } = plugin

/** For `Bun.build({ plugins })`, and for a file that Bun preloads: `Bun.plugin(toolwright())`. */
export function bun(): ReturnType<typeof bunTypes> {
  const of = bunTypes()
  return {
    name: of.name,
    setup(build) {
      of.setup(build)
      build.onLoad({ filter: agencyOfBun.filter }, agencyOfBun.load)
    },
  }
}
