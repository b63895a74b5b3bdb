// The corpus: programs over everything that the language has, each with what it gives.
import { agents } from './agents.ts'
import { algorithms } from './algorithms.ts'
import { answers } from './answers.ts'
import type { Case } from './case.ts'
import { data } from './data.ts'
import { everyday } from './everyday.ts'
import { functions } from './functions.ts'
import { models } from './models.ts'
import { modules } from './modules.ts'
import { more } from './more.ts'
import { nodes } from './nodes.ts'
import { prelude } from './prelude.ts'
import { results } from './results.ts'
import { routines } from './routines.ts'
import { statements } from './statements.ts'
import { types } from './types.ts'
import { values } from './values.ts'

export const corpus: readonly Case[] = [
  ...values,
  ...statements,
  ...functions,
  ...types,
  ...results,
  ...prelude,
  ...nodes,
  ...models,
  ...modules,
  ...algorithms,
  ...agents,
  ...data,
  ...everyday,
  ...more,
  ...answers,
  ...routines,
]
