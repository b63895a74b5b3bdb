// What the command and the studio do with recipes: check them, try them out, draft them. `@toolwright/recipe/people`.
export type { RecipeFault } from './document/faults.ts'
export { lineOf } from './document/faults.ts'
export { parseDocument } from './folder.ts'
export { checkRecipe, checkText } from './people/check.ts'
export type { Draft, Imported } from './people/import.ts'
export { importOpenApi } from './people/import.ts'
export type { ShownAnswer, ShownRequest, TestOptions, TestReport } from './people/test.ts'
export { testRecipe } from './people/test.ts'
