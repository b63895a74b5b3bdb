// `toolwright run FILE.agency`, as somebody or some program types it: results, and all that may be wrong with it.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
let folder = ''

const source = `import { half } from "./host.ts"
type P = { x: number, y?: number }

def add(a: number, b: number): number { return a + b }

print("module")

node main(n: number, s: string = "d", ...rest: number[]) {
  print("hello")
  return { n, s, rest }
}

node ask() {
  return llm("What?", tools: [add])
}

node point(p: P, all: P[]) { return [p, all] }

node crash(x: any) {
  return deep(x)
}

def deep(x: any): number {
  return x.a.b
}

node fails() { return failure("no luck", { a: 1 }) }

node nothing() { }

node open() { return half("no end") }

node odd() {
  printJSON({ a: [1] })
  return { call: add, much: 1 / 0, text: "a\\nb\\u2028c", list: [success(1), null] }
}
`
const files = {
  'p.agency': source,
  'host.ts': 'export function half(text: string): string {\n  process.stdout.write(text)\n  return text\n}\n',
  'turns.json': '[{"calls":[["add",{"a":1,"b":2}]]},{"says":"3"}]',
  'one.json': '[{"calls":[["add",{"a":1,"b":2}]]}]',
  'many.json': '[{"says":"first"},{"says":"second"}]',
  'text.json': '[{"calls":[["add","{\\"a\\": 1,"]]},{"says":"cut off"}]',
  'word.json': '[{"say":"3"}]',
  'record.json': '{"says":"3"}',
  'number.json': '[{"says":3}]',
  'call.json': '[{"calls":[["add",3]]}]',
  'cut.json': '[{"says":',
  'wrong.agency': 'node main() { return a }\n',
  'none.agency': 'print("only statements")\n',
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-agency-run-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

interface Ran {
  code: number
  lines: string[]
  stderr: string
  /** The last line of stdout, read as JSON. */
  result: unknown
}

function run(...args: string[]): Promise<Ran> {
  const all = ['--conditions=development', '--disable-warning=ExperimentalWarning', main, 'run', ...args]
  const env = { ...process.env, AI_MODEL: '', AI_URL: '', AI_API_KEY: '', TOOLWRIGHT_LOG: '', NO_COLOR: '1' }
  return new Promise(resolve => {
    execFile(process.execPath, all, { cwd: folder, env, timeout: 30_000 }, (error, stdout, stderr) => {
      const lines = stdout.split('\n').slice(0, -1)
      const code = typeof error?.code === 'number' ? error.code : 0
      const result = code === 0 && args.includes('--json') ? JSON.parse(lines.at(-1)!) : undefined
      resolve({ code, lines, stderr, result })
    })
  })
}

describe('the result is the last line of stdout', { timeout: 60_000 }, () => {
  const main = ['p.agency', '--json', '--args']
  const given: [what: string, args: string[], result: unknown][] = [
    ['of arguments in their order', [...main, '[1]'], { n: 1, s: 'd', rest: [] }],
    ['with all of them', [...main, '[1,"x",3,4]'], { n: 1, s: 'x', rest: [3, 4] }],
    ['by name', [...main, '{"n":2,"rest":[5]}'], { n: 2, s: 'd', rest: [5] }],
    ['of one value', [...main, '5'], { n: 5, s: 'd', rest: [] }],
    [
      'of records',
      ['p.agency', '--json', '--node', 'point', '--args', '[{"x":1},[{"x":2,"y":3}]]'],
      [{ x: 1 }, [{ x: 2, y: 3 }]],
    ],
    ['of a node that gives nothing', ['p.agency', '--json', '--node', 'nothing'], null],
    ['of a file without a node', ['none.agency', '--json'], null],
    [
      'of a failure that is given',
      ['p.agency', '--json', '--node', 'fails'],
      { success: false, error: 'no luck', data: { a: 1 } },
    ],
    ['behind half a line', ['p.agency', '--json', '--node', 'open'], 'no end'],
    [
      'in one line, whatever it is',
      ['p.agency', '--json', '--node', 'odd'],
      { call: '[function add]', much: null, text: 'a\nb\u2028c', list: [{ success: true, value: 1 }, null] },
    ],
    ['of a scripted model', ['p.agency', '--json', '--node', 'ask', '--scripted', 'turns.json'], '3'],
    [
      'of a script that is longer',
      ['p.agency', '--json', '--node', 'ask', '--scripted', 'many.json'],
      'first',
    ],
    [
      'of a model that was cut off in a call',
      ['p.agency', '--json', '--node', 'ask', '--scripted', 'text.json'],
      'cut off',
    ],
  ]
  for (const [what, args, result] of given)
    it.concurrent(what, async ({ expect }) => {
      const ran = await run(...args)
      expect(ran.stderr).toBe('')
      expect(ran.code).toBe(0)
      expect(ran.result).toEqual(result)
      expect(ran.lines.at(-1)).not.toMatch(/[\u0085\u2028\u2029]/)
      // What the program printed stands before it, as it was printed.
      expect(ran.lines[0]).toBe(args[0] === 'p.agency' ? 'module' : 'only statements')
    })

  it('and stdout has only what the program prints without --json', async () => {
    const { code, lines, stderr } = await run('p.agency', '--args', '[1]')
    expect([code, lines, stderr]).toEqual([0, ['module', 'hello'], ''])
  })
})

it('a program reads and writes files, waits, and asks whoever sits there', { timeout: 60_000 }, async () => {
  const source = `node main() {
  const name = input("Name? ")
  const more = [input(), input() catch "the end"]
  write("greeting.txt", "Hello, \${name}!\\n")
  sleep(0.01)
  write("all.json", { name, more, read: read("greeting.txt") })
  return JSON.parse(read("all.json"))
}
`
  writeFileSync(join(folder, 'files.agency'), source)
  const all = ['--conditions=development', '--disable-warning=ExperimentalWarning', main, 'run']
  const [stdout, stderr] = await new Promise<[string, string]>((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [...all, 'files.agency', '--json'],
      { cwd: folder, timeout: 30_000 },
      (error, out, err) => (error ? reject(error) : resolve([out, err])),
    )
    // All at once: no line is lost between two questions.
    child.stdin!.end('Ada\nand Bob\n')
  })
  expect(stdout).toBe('{"name":"Ada","more":["and Bob","the end"],"read":"Hello, Ada!\\n"}\n')
  // What is asked does not come between the lines of what is given.
  expect(stderr).toContain('Name? ')
})

it('the command runs from a checkout that is not built, where it is called', {
  timeout: 60_000,
}, async () => {
  const bin = fileURLToPath(new URL('../bin/toolwright.js', import.meta.url))
  const args = [bin, 'run', 'p.agency', '--node', 'ask', '--scripted', 'turns.json', '--json']
  const ran = (more: string[]): Promise<[unknown, string, string]> =>
    new Promise(resolve => {
      execFile(
        process.execPath,
        [...args, ...more],
        { cwd: folder, timeout: 30_000 },
        (error, stdout, stderr) => resolve([error?.code, stdout, stderr]),
      )
    })
  expect(await ran([])).toEqual([undefined, 'module\n"3"\n', ''])
  expect(await ran(['--node', 'none'])).toEqual([1, '', expect.stringContaining('has no node none')])
})

describe('what is wrong is told on stderr', { timeout: 60_000 }, () => {
  const scripted = (file: string): string[] => ['p.agency', '--node', 'ask', '--scripted', file]
  /** The exit code, what stderr tells, and what stdout has. */
  const wrong: [what: string, args: string[], code: number, told: RegExp, lines: string[]][] = [
    ['a file that is not there', ['absent.agency'], 2, /There is no file absent\.agency\./, []],
    ['a folder', ['.'], 2, /\. is no file/, []],
    ['a message', ['p.agency', 'Hello'], 2, /takes no message.*--args/, []],
    ['a file with faults', ['wrong.agency'], 1, /wrong\.agency:1:22 - error A2001/, []],
    ['another node', ['p.agency', '--node', 'nope'], 1, /no node nope\n\s+it has .*main.*point/, []],
    ['a def as a node', ['p.agency', '--node', 'add'], 1, /no node add\n\s+it has /, []],
    ['a node of a file without one', ['none.agency', '--node', 'a'], 1, /write node a\(\) \{ … \}/, []],
    [
      'arguments that are no JSON',
      ['p.agency', '--args', '[1'],
      2,
      /--args is no JSON: .*\n {2}Write a list: --args '\["Ada", 3\]'/,
      [],
    ],
    ['too few arguments', ['p.agency'], 1, /A2003: .*n: is missing: expected number/, ['module']],
    [
      'too many',
      ['p.agency', '--node', 'nothing', '--args', '[1,2]'],
      1,
      /takes 0 arguments, and 2/,
      ['module'],
    ],
    ['another type', ['p.agency', '--args', '["x"]'], 1, /n: expected number, came "x"/, ['module']],
    [
      'another type among the rest',
      ['p.agency', '--args', '[1,"x",2,"y"]'],
      1,
      /rest\[1\]: expected number, came "y"/,
      ['module'],
    ],
    [
      'a name that is unknown',
      ['p.agency', '--args', '{"n":1,"z":2}'],
      1,
      /z: is not a known field/,
      ['module'],
    ],
    [
      'all that is wrong in a record, at once',
      ['p.agency', '--node', 'point', '--args', '[{"x":"a","z":1},[{"y":"b"}]]'],
      1,
      /p\.x: .*p\.z: .*all\[0\]\.y: .*all\[0\]\.x: /,
      ['module'],
    ],
    ['no script', scripted('absent.json'), 2, /There is no file absent\.json/, []],
    ['a script that is no JSON', scripted('cut.json'), 2, /cut\.json is no JSON/, []],
    ['a script that is no list', scripted('record.json'), 2, /T3014: .*it is no list\n.*"says"/, []],
    ['a turn with another word', scripted('word.json'), 2, /turn 1 has neither "says" nor "calls"/, []],
    ['a turn whose text is none', scripted('number.json'), 2, /"says" of turn 1 is no text/, []],
    ['a call without arguments to read', scripted('call.json'), 2, /"calls" of turn 1 is no list/, []],
    [
      'a script that runs out',
      scripted('one.json'),
      1,
      /T3011: .* 1 turn and was asked for turn 2/,
      ['module'],
    ],
    ['no model at all', ['p.agency', '--node', 'ask'], 1, /T3001: no model is named/, ['module']],
    [
      'a crash, with its lines',
      ['p.agency', '--node', 'crash', '--args', '[null]'],
      1,
      /reading 'a'.*\n.*at deep \(.*p\.agency:24:12\)\n.*at crash \(.*p\.agency:20:10\)/,
      ['module'],
    ],
  ]
  for (const [what, args, code, told, lines] of wrong)
    it.concurrent(what, async ({ expect }) => {
      const ran = await run(...args, '--json')
      expect(ran.stderr).toMatch(told)
      expect(ran.code).toBe(code)
      expect(ran.lines).toEqual(lines)
    })
})
