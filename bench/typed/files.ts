// The programs that are measured: so many files of so many tools each, every tool with a record of its own.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Sizes {
  files: number
  /** Tools of each file. */
  each: number
}

/** Writes the programs into `folder`: `src` for toolwright, `typia` for typia, `types` for a TypeScript program. */
export function writePrograms(folder: string, { files, each }: Sizes, modules: Record<string, string>): void {
  const names = Array.from({ length: files }, (_, i) => `tools${i}`)
  const records = (i: number): string[] => Array.from({ length: each }, (_, j) => `Input${i}x${j}`)
  const declared = (i: number): string => records(i).map(record).join('\n')
  const put = (kind: string, name: string, text: string): void =>
    writeFileSync(join(folder, kind, `${name}.ts`), text)
  for (const [kind, target] of Object.entries(modules)) {
    mkdirSync(join(folder, kind), { recursive: true })
    symlinkSync(target, join(folder, kind, 'node_modules'), 'junction')
    writeFileSync(join(folder, kind, 'package.json'), '{ "type": "module" }')
  }
  for (const [i, name] of names.entries()) {
    const tools = records(i).map(
      each =>
        `export const ${each.toLowerCase()} = tool('${each.toLowerCase()}', (input: ${each}) => input.title)`,
    )
    put('src', name, `import { tool } from 'toolwright'\n\n${declared(i)}\n${tools.join('\n')}\n`)
    put('types', name, declared(i))
    put(
      'typia',
      name,
      `import typia from 'typia'\n\n${declared(i)}\nexport const schemas = typia.json.schemas<[${records(i).join(', ')}]>()\n`,
    )
  }
  const imports = names.map(name => `import * as ${name} from './${name}.ts'`).join('\n')
  const count = `[${names.join(', ')}].reduce((sum, each) => sum + Object.keys(each).length, 0)`
  put('src', 'main', `${imports}\n\nconsole.log(${count})\n`)
  const options = {
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    types: [],
    skipLibCheck: true,
  }
  for (const kind of ['typia', 'types'])
    writeFileSync(
      join(folder, kind, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
    )
}

// What a tool of an application takes, more or less: ten fields, docs, a union, a list of records, a map.
function record(name: string): string {
  return `/** Changes what ${name} names. */
export interface ${name} {
  /** The title, as people see it. */
  title: string
  /**
   * How many of it.
   * @minimum 1
   */
  count: number
  note?: string | null
  /** Where it stands. */
  state: 'open' | 'waiting' | 'done'
  tags: readonly string[]
  lines: { /** What it is. */ name: string; price: number; taxed?: boolean }[]
  labels: Record<string, string>
  by: { kind: 'person'; id: number } | { kind: 'team'; team: string }
  /** When it is due. @format date */
  due?: string
  urgent: boolean
}
`
}
