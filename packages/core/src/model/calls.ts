// The tool calls of a turn, put together from their deltas. Servers disagree about how a delta says which call it
// belongs to (index, id, both, neither, the same index for all), about names (split, repeated) and about arguments
// (text, object, nothing). The rule here: never drop a delta, never glue two calls, and where two readings are
// possible the one in which the tools on offer are called.
import type { Call, Json } from '../define/records.ts'
import { count, type Fields, fields, list, merge, parsed } from './json.ts'
import type { WireNames } from './names.ts'

/** Shows a part of a call's arguments: `index` counts the calls of the turn, `tool` is the real name. */
export type OnInput = (text: string, index: number, tool: string) => void

export interface CallDeltas {
  /** Takes the `tool_calls` of a delta or of a message, or a legacy `function_call` as the only entry. */
  read(value: Json): void
  /** Text came: the last call is certainly over. */
  close(): void
  /** How many calls there are so far. */
  readonly size: number
  /** The calls. `cut`: the turn ended early, so the call that was open then, and any that cannot be read, are marked. */
  end(cut: boolean): Call[]
}

interface Open {
  index: number | undefined
  id: string
  name: string
  arguments: string
  extra: Record<string, Json>
}

/** What a delta says, '' where it says nothing: the empty string is as good as absent. */
interface Delta {
  index: number | undefined
  id: string
  name: string
  arguments: string
  /** The arguments came as a value, and so as a whole. */
  whole: boolean
  extra: Record<string, Json>
}

/** The fields of a call, and of its function, that are read here; the others are kept and sent back. */
const OWN = new Set(['index', 'id', 'type', 'function', 'name', 'arguments'])

export function callDeltas(names: WireNames, onInput: OnInput): CallDeltas {
  const open: Open[] = []
  /** The call that a delta without an address continues. */
  let last: Open | undefined
  let closed = false

  /** The call that the delta continues, or undefined where it begins one. */
  function continued(delta: Delta): Open | undefined {
    const sameIndex =
      delta.index === undefined ? undefined : open.findLast(call => call.index === delta.index)
    const sameId = delta.id === '' ? undefined : open.findLast(call => call.id === delta.id)
    if (delta.index !== undefined) {
      const addressed =
        sameIndex ?? (delta.name ? undefined : (sameId ?? (last?.index === undefined ? last : undefined)))
      return addressed && begins(addressed, delta, true) ? undefined : addressed
    }
    if (delta.id !== '') {
      const addressed = sameId ?? (delta.name ? undefined : last)
      return addressed && begins(addressed, delta, sameId !== undefined) ? undefined : addressed
    }
    return last && begins(last, delta, false) ? undefined : last
  }

  /** Whether the delta begins another call, though it may be addressed like `call`. */
  function begins(call: Open, delta: Delta, addressed: boolean): boolean {
    const otherId = delta.id !== '' && call.id !== '' && delta.id !== call.id
    if (delta.name === '') return otherId && complete(call.arguments)
    if (otherId) return true
    const blank = delta.arguments.trim() === ''
    const sameName = delta.name === call.name
    if (addressed) {
      if (!blank && complete(call.arguments)) return !(delta.id !== '' && delta.arguments === call.arguments)
      const otherTool = !sameName && names.known(call.name) && names.known(delta.name)
      return otherTool && !names.begins(call.name + delta.name) && !delta.name.startsWith(call.name)
    }
    if (call.arguments.trim() === '') {
      if (sameName) return blank && call.id === ''
      return names.known(call.name) || !names.begins(call.name + delta.name)
    }
    return !(sameName && !complete(call.arguments))
  }

  function take(value: Json): void {
    const delta = deltaOf(value)
    if (!delta) return
    let call = continued(delta)
    if (!call) {
      call = { index: delta.index, id: delta.id, name: '', arguments: '', extra: {} }
      open.push(call)
    }
    last = call
    closed = false
    call.index ??= delta.index
    if (call.id === '') call.id = delta.id
    if (delta.name !== '') call.name = call.name === '' ? delta.name : grown(call.name, delta.name, names)
    merge(call.extra, delta.extra)
    grow(call, delta)
  }

  function grow(call: Open, delta: Delta): void {
    if (delta.arguments === '') return
    const repeated = delta.id !== '' && delta.arguments === call.arguments && complete(call.arguments)
    if (repeated) return
    const before = call.arguments
    call.arguments = delta.whole ? delta.arguments : before + delta.arguments
    if (!delta.whole || before === '') onInput(delta.arguments, open.indexOf(call), names.real(call.name))
  }

  return {
    read(value) {
      for (const item of list(value)) take(item)
    },
    close() {
      closed = true
    },
    get size() {
      return open.length
    },
    end(cut) {
      const taken = new Set(open.map(call => call.id))
      const used = new Set<string>()
      return open.map((from, n) => {
        const id = from.id !== '' && !used.has(from.id) ? from.id : freeId(from.id || 'call', n, taken)
        used.add(id)
        taken.add(id)
        const call: Call = {
          id,
          tool: names.real(from.name),
          arguments: from.arguments.trim() === '' ? '{}' : from.arguments,
        }
        if (Object.keys(from.extra).length > 0) call.extra = from.extra
        if (cut && ((from === last && !closed) || parsed(call.arguments) === undefined)) call.cut = true
        return call
      })
    },
  }
}

/** An id that the provider did not give, or gave twice: 'call_0' for the first call, always the same for the same turn. */
export function freeId(stem: string, n: number, taken: ReadonlySet<string>): string {
  let id = `${stem}_${n}`
  while (taken.has(id)) id += '_'
  return id
}

function deltaOf(value: Json): Delta | undefined {
  const entry = fields(value)
  if (!entry) return undefined
  // A legacy function_call is the function itself; a few servers leave the wrapping out as well.
  const fn = fields(entry['function']) ?? (entry['function'] === undefined ? entry : {})
  const given = fn['arguments']
  const whole = given !== null && given !== undefined && typeof given !== 'string'
  const index = count(entry['index'])
  const id = entry['id']
  const extra: Record<string, Json> = {}
  keep(extra, entry, OWN)
  if (fn !== entry) {
    const inFunction: Record<string, Json> = {}
    keep(inFunction, fn, OWN)
    if (Object.keys(inFunction).length > 0) extra['function'] = inFunction
  }
  const delta: Delta = {
    index,
    id: typeof id === 'string' ? id : typeof id === 'number' ? String(id) : '',
    name: typeof fn['name'] === 'string' ? fn['name'] : '',
    arguments: typeof given === 'string' ? given : whole ? JSON.stringify(given) : '',
    whole,
    extra,
  }
  const says = delta.id !== '' || delta.name !== '' || delta.arguments !== '' || Object.keys(extra).length > 0
  return says ? delta : undefined
}

function keep(extra: Record<string, Json>, from: Fields, but: ReadonlySet<string>): void {
  for (const key of Object.keys(from)) {
    const field = from[key]
    if (!but.has(key) && field !== undefined && field !== null) merge(extra, { [key]: field })
  }
}

/** A name that goes on: split over deltas, resent whole, or resent grown. The tools on offer decide. */
function grown(name: string, part: string, names: WireNames): string {
  const joined = name + part
  if (part === name && names.known(name)) return name
  if (names.begins(joined)) return joined
  if (part.startsWith(name) && names.begins(part)) return part
  return part === name ? name : joined
}

/** Whether the arguments are one whole JSON object already. */
function complete(text: string): boolean {
  return text.trimEnd().endsWith('}') && fields(parsed(text)) !== undefined
}
