// `toolwright recipe check FILE`: every fault of a recipe's file.
import { readFile } from 'node:fs/promises'
import { ToolwrightError } from '@toolwright/core'
import type { RecipeFault } from '../document/faults.ts'
import { readRecipe } from '../document/read.ts'
import { parseDocument } from '../folder.ts'

/** Every fault of the recipe in a file; [] where it is right. Rejects where the file cannot be read. */
export async function checkRecipe(file: string): Promise<RecipeFault[]> {
  return checkText(await readFile(file, 'utf8'))
}

/** Every fault of the recipe in a text. */
export function checkText(text: string): RecipeFault[] {
  try {
    const read = readRecipe(parseDocument(text))
    return read.ok ? [] : read.faults
  } catch (error) {
    if (!(error instanceof ToolwrightError)) throw error
    return [{ pointer: '', code: error.code, problem: error.problem, fix: error.fix }]
  }
}
