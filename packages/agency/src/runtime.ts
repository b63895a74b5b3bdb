// `@toolwright/agency/runtime`: what compiled modules import. Its names are the emitter's, not for people.
export * from './runtime/index.ts'
