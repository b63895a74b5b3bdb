// A folder of recipes: one tool for each `NAME.recipe.json`.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolwrightError } from '@toolwright/core'
import type { Connection } from './connection/connection.ts'
import { type RecipeTool, recipe } from './recipe.ts'

const END = '.recipe.json'

/**
 * The tools of every `NAME.recipe.json` in a folder, in the order of their names; each file says what its tool does in
 * `about`. Rejects with one error that tells the faults of every file.
 */
export async function recipes(
  folder: string,
  options: { connection: Connection | ((name: string) => Connection) },
): Promise<RecipeTool[]> {
  const { connection } = options
  const files = (await entries(folder)).filter(file => file.endsWith(END)).sort()
  if (files.length === 0)
    throw new ToolwrightError('T4015', `there is no *${END} in ${folder}`, {
      fix: `name the files NAME${END}`,
    })
  const tools: RecipeTool[] = []
  const wrong: string[] = []
  for (const file of files) {
    const name = file.slice(0, -END.length)
    try {
      const document = parseDocument(await readFile(join(folder, file), 'utf8'))
      tools.push(
        recipe(document, {
          name,
          connection: typeof connection === 'function' ? connection(name) : connection,
        }),
      )
    } catch (error) {
      wrong.push(`${file}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (wrong.length > 0)
    throw new ToolwrightError(
      'T4015',
      `${wrong.length} of ${files.length} recipes in ${folder} cannot be loaded:\n${wrong.join('\n')}`,
    )
  return tools
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (cause) {
    throw new ToolwrightError('T4015', `the folder ${folder} cannot be read`, {
      fix: 'see that it is there',
      cause,
    })
  }
}

/** A document out of its text. A text that is no JSON throws `T4001` with the place. */
export function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new ToolwrightError(
      'T4001',
      `the document is no JSON: ${error instanceof Error ? error.message : ''}`,
      {
        fix: 'see the place that it names; a comma too many is the usual cause',
      },
    )
  }
}
