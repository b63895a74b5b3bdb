// The keywords of an object's fields. A field whose value is undefined counts as absent.

import { oneOf, quoted } from '../faults.ts'
import { copyOf, setField } from '../json.ts'
import { isRecord } from '../kinds.ts'
import { nearest } from '../nearest.ts'
import { openPattern } from '../pattern.ts'
import type { Node } from '../resource.ts'
import type { Run, Seen, Step } from '../walk.ts'
import { fault, fits, follows, newRun, walk, walkChild } from '../walk.ts'
import { expectedBy } from '../wording.ts'

type Schema = Readonly<Record<string, unknown>>
type Child = (schema: unknown, place: string) => Node
type Fields = Record<string, unknown>

interface Field {
  readonly key: string
  readonly node: Node
  readonly required: boolean
  readonly hasDefault: boolean
  /** Whether the default fits its own schema; found out when it is first needed. One that does not is not filled. */
  goodDefault: boolean | undefined
}

/** What applies to the fields that `properties` does not name. */
interface Further {
  readonly patterns: readonly (readonly [test: (key: string) => boolean, node: Node])[]
  readonly rest: Node | null
  readonly known: ReadonlyMap<string, Field>
}

/** `properties`, `patternProperties`, `additionalProperties` and `required`, in one pass over the value's fields. */
export function fieldSteps(schema: Schema, node: Node, child: Child): Step[] {
  const required = new Set(listOfTexts(schema['required']))
  const known = new Map<string, Field>()
  for (const [key, one] of Object.entries(recordAt(schema, 'properties'))) {
    const at = child(one, `properties/${key}`)
    const hasDefault = isRecord(at.schema) && at.schema['default'] !== undefined
    known.set(key, { key, node: at, required: required.has(key), hasDefault, goodDefault: undefined })
  }
  for (const key of known.keys()) required.delete(key)
  const undeclared = [...required].map(key => ({
    key,
    node: child(true, ''),
    required: true,
    hasDefault: false,
    goodDefault: false,
  }))
  const needed = [...[...known.values()].filter(one => one.required || one.hasDefault), ...undeclared]

  const more = schema['additionalProperties']
  const rest = more === undefined ? null : child(more, 'additionalProperties')
  const further = { patterns: patternsOf(schema, node, child), rest, known }
  const hasFurther = further.patterns.length > 0 || rest !== null
  const steps: Step[] = []
  if (known.size > 0 || hasFurther) steps.push(givenStep(known, hasFurther ? further : null))
  if (needed.length > 0) steps.push(neededStep(needed))
  return steps
}

/** A keyword's record; an empty one where it is none. */
export function recordAt(schema: Schema, keyword: string): Fields {
  const value = schema[keyword]
  return isRecord(value) ? value : {}
}

/** A list's texts; none where it is no list. */
export function listOfTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}

// The fields that were given, each with whatever applies to it.
function givenStep(known: ReadonlyMap<string, Field>, further: Further | null): Step {
  return (value: Fields, run, seen) => {
    let out = value
    for (const key of Object.keys(value)) {
      const item = value[key]
      if (item === undefined) continue
      const one = known.get(key)
      if (one !== undefined) {
        if (item === null && run.mend && isAbsence(one, run)) {
          out = without(out, value, key, run)
          continue
        }
        const read = walkChild(one.node, item, value, key, run)
        if (read !== item) out = withField(out, value, key, read, run)
        seen?.fields.add(key)
      }
      if (further !== null) out = readFurther(further, out, value, key, run, seen)
      if (run.quiet && run.count > 0) return value
    }
    return out
  }
}

function readFurther(
  further: Further,
  out: Fields,
  value: Fields,
  key: string,
  run: Run,
  seen: Seen | null,
): Fields {
  let now = out
  let named = further.known.has(key)
  for (const [test, node] of further.patterns) {
    if (!test(key)) continue
    named = true
    now = readField(node, now, value, key, run, further)
    seen?.fields.add(key)
  }
  if (named || further.rest === null) return now
  seen?.fields.add(key)
  return readField(further.rest, now, value, key, run, further)
}

function readField(
  node: Node,
  out: Fields,
  value: Fields,
  key: string,
  run: Run,
  { known }: Pick<Further, 'known'>,
): Fields {
  if (node.schema === false) {
    fault(run, () => unknownField(key, [...known.keys()]), key)
    return out
  }
  const item = out[key]
  const read = walkChild(node, item, value, key, run)
  return read === item ? out : withField(out, value, key, read, run)
}

// The fields that were not given: filled where they have a default, else missing where they are required.
function neededStep(needed: readonly Field[]): Step {
  return (value: Fields, run, seen) => {
    let out = value
    for (const one of needed) {
      if (value[one.key] !== undefined && Object.hasOwn(value, one.key)) continue
      if (run.fill && one.hasDefault && usable(one, run)) {
        run.filled = true
        const given = copyOf((one.node.schema as Fields)['default'])
        out = withField(out, value, one.key, walkChild(one.node, given, value, one.key, run), run)
        seen?.fields.add(one.key)
      } else if (one.required) fault(run, () => `is missing: expected ${expectedBy(one.node)}`, one.key)
      if (run.quiet && run.count > 0) return value
    }
    return out
  }
}

// Null for a field that may be left out, and that takes no null, says that it is left out.
function isAbsence(one: Field, run: Run): boolean {
  return !one.required && !fits(one.node, null, run)
}

function usable(one: Field, run: Run): boolean {
  if (one.goodDefault === undefined) {
    const trial = newRun(run.scope, { quiet: true, formats: run.formats })
    trial.depth = run.depth
    walk(one.node, (one.node.schema as Fields)['default'], trial, null)
    one.goodDefault = trial.count === 0
  }
  return one.goodDefault
}

/** `out` with a field set; `value`, as it came in, is never written to. */
function withField(out: Fields, value: Fields, key: string, item: unknown, run: Run): Fields {
  const copy = copied(out, value, run)
  setField(copy, key, item)
  return copy
}

function without(out: Fields, value: Fields, key: string, run: Run): Fields {
  const copy = copied(out, value, run)
  delete copy[key]
  return copy
}

function copied(out: Fields, value: Fields, run: Run): Fields {
  if (out !== value) return out
  const copy = { ...value }
  follows(copy, value, run)
  return copy
}

function patternsOf(schema: Schema, node: Node, child: Child): Further['patterns'] {
  const found: Further['patterns'][number][] = []
  for (const [source, one] of Object.entries(recordAt(schema, 'patternProperties'))) {
    const pattern = openPattern(source)
    if (typeof pattern === 'string') node.wrong.push({ keyword: 'patternProperties', problem: pattern })
    else found.push([key => pattern.test(key) === true, child(one, `patternProperties/${source}`)])
  }
  return found
}

/** What a field that a closed record does not know is told: the nearest name, or all of them. */
function unknownField(key: string, known: readonly string[]): string {
  const near = nearest(key, known)
  if (near !== undefined) return `is not a known field: did you mean ${quoted(near)}?`
  return known.length === 0
    ? 'is not a known field'
    : `is not a known field: expected ${oneOf(known.map(k => quoted(k)))}`
}

/** `unevaluatedProperties`: the fields that no other keyword has looked at. Comes after all others. */
export function unevaluatedFieldsStep(node: Node, schema: Schema): Step {
  const known = Object.keys(recordAt(schema, 'properties'))
  return (value: Fields, run, seen) => {
    let out = value
    for (const key of Object.keys(value)) {
      const item = value[key]
      if (item === undefined || seen?.fields.has(key)) continue
      if (node.schema === false)
        fault(run, () => unknownField(key, [...new Set([...known, ...(seen?.fields ?? [])])]), key)
      else {
        const read = walkChild(node, item, value, key, run)
        if (read !== item) out = withField(out, value, key, read, run)
      }
      seen?.fields.add(key)
      if (run.quiet && run.count > 0) return value
    }
    return out
  }
}
