// What the docs say works: every block of code is type-checked and run, and every link leads somewhere.
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { anchors, links, type Program, programs } from './blocks.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
// In a folder that git and the linter pass over, but inside the repository, so that packages are found from it.
const out = join(root, 'docs/dist/blocks')

const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/dist'] })]
  .filter(page => existsSync(join(root, page)))
  .sort()
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')
const all = pages.flatMap(page => programs(page, textOf(page)))
const pathOf = (program: Program) => join(out, `${program.file}.${program.line}.ts`)

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
for (const program of all) {
  mkdirSync(dirname(pathOf(program)), { recursive: true })
  writeFileSync(pathOf(program), program.source)
}
const options = {
  noEmit: true,
  composite: false,
  declaration: false,
  declarationMap: false,
  rewriteRelativeImportExtensions: false,
  allowImportingTsExtensions: true,
  moduleDetection: 'force',
}
const config = {
  extends: relative(out, join(root, 'tsconfig.base.json')),
  compilerOptions: options,
  include: ['.'],
}
writeFileSync(join(out, 'tsconfig.json'), JSON.stringify(config))

describe('the code in the docs', () => {
  it('type-checks', { timeout: 120_000 }, async () => {
    expect(await typeFaults()).toEqual([])
  })

  for (const program of all.filter(each => each.run)) {
    it.concurrent(`${program.file}:${program.line} runs`, async () => {
      const { code, stdout, stderr } = await runProgram(pathOf(program))
      if (program.throws === undefined) expect(code, stderr).toBe(0)
      else {
        expect(code).not.toBe(0)
        expect(stderr).toContain(program.throws)
      }
      if (program.prints !== undefined) expect(stdout.trim()).toBe(program.prints.trim())
    })
  }
})

describe('the links in the docs', () => {
  for (const page of pages)
    it(`${page} leads to files and headings that are there`, () => {
      const broken = links(textOf(page)).flatMap(({ line, path, anchor }) => {
        const target = path === '' ? page : join(dirname(page), path)
        const there = existsSync(join(root, target)) && !target.startsWith('..')
        const isFile = there && statSync(join(root, target)).isFile()
        const found = there && (anchor === '' || (isFile && anchors(textOf(target)).has(anchor)))
        return found ? [] : [`${page}:${line} leads to ${path}${anchor && `#${anchor}`}`]
      })
      expect(broken).toEqual([])
    })
})

/** What the compiler says of the blocks, each at its place in the Markdown file. */
async function typeFaults(): Promise<string[]> {
  if (all.length === 0) return []
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '-p', out, '--pretty', 'false']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: out }).catch(
    (error: { stdout?: string; message: string }) => ({ stdout: error.stdout || error.message }),
  )
  return stdout
    .split('\n')
    .filter(line => line !== '' && !/^(\s|\.\.\/)/.test(line))
    .map(line => line.replace(/^(.+\.md)\.\d+\.ts\((\d+),(\d+)\)/, '$1:$2:$3'))
}

/** Runs a file in a thread of its own: a process each would take ten times as long. Ends it after 20 seconds. */
function runProgram(path: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^AI_/.test(name)))
  const execArgv = ['--conditions=development', '--disable-warning=ExperimentalWarning']
  const worker = new Worker(path, { execArgv, env, stdout: true, stderr: true })
  let stdout = ''
  let stderr = ''
  worker.stdout.on('data', part => (stdout += part))
  worker.stderr.on('data', part => (stderr += part))
  const late = setTimeout(() => {
    stderr += 'It did not end within 20 seconds.'
    worker.terminate()
  }, 20_000)
  return new Promise(done => {
    worker.on('error', error => (stderr += String(error)))
    worker.on('exit', code => {
      clearTimeout(late)
      // What was printed last arrives behind the news of the exit.
      setImmediate(() => done({ code, stdout, stderr }))
    })
  })
}
