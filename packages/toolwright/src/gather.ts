// Gathers the flat log of runs into what their threads show at the end: conversations, and in them, in the order in
// which they came, messages and the calls with all that happened inside.
import type { LogEvent, Message } from '@toolwright/core'
import type { CallTree, ConversationTree, End, RunTree, TreeItem, Waiting } from './runtree.ts'

type Place = Pick<LogEvent, 'span' | 'parent'>
type Of<Kind extends LogEvent['kind']> = Extract<LogEvent, { kind: Kind }>

/** Takes events one at a time and gives the runs that they are of, in the order in which they began. */
export interface Gatherer {
  add(event: LogEvent): void
  /** The runs; after this, nothing can be added. */
  runs(): RunTree[]
}

/** The runs of `events`, in the order in which they began. */
export function gather(events: Iterable<LogEvent>): RunTree[] {
  const gatherer = gathering()
  for (const event of events) gatherer.add(event)
  return gatherer.runs()
}

/** A gatherer with no events yet. */
export function gathering(): Gatherer {
  const runs = new Map<string, OpenRun>()
  return {
    add(event) {
      let run = runs.get(event.run)
      if (!run) {
        run = new OpenRun(event)
        runs.set(event.run, run)
      }
      run.add(event)
    },
    runs: () => [...runs.values()].map(run => run.close()),
  }
}

/** A row of a thread: what it shows now, if anything, and the calls that it was written with. */
interface Row {
  readonly thread: string
  message: Message | undefined
  readonly made: Message['calls']
}

/** A turn that called tools, and what came of it; `row` is missing where the log begins later. */
interface Round {
  row?: Row
  calls: CallTree[]
  results: Row[]
}

type Entry = Row | Round | Exclude<TreeItem, { kind: 'message' | 'call' }>

/** A conversation that is being gathered. */
interface Open {
  readonly node: ConversationTree
  /** The conversation whose thread it works on: itself, but for one inside of a handoff. */
  readonly home: Open
  readonly entries: Entry[]
  /** The tool of the call that it is in. */
  readonly tool: string
  /** Those inside of it, or inside of its call, by the threads that they write to. */
  readonly threads: Map<string, Open>
}

interface OpenCall {
  readonly tree: CallTree
  /** The conversation that made it, and its turn there. */
  readonly caller: Open
  readonly round: Round
  /** The conversations inside of it, by the threads that they write to. */
  readonly threads: Map<string, Open>
}

/** One run that is being gathered. */
class OpenRun {
  private readonly tree: RunTree
  private readonly conversations = new Map<string, Open>()
  private readonly calls = new Map<string, OpenCall>()
  private readonly rows = new Map<string, Row>()
  private readonly torn: ConversationTree[] = []

  constructor({ run, at }: LogEvent) {
    this.tree = { run, at, span: '', agent: '', model: '', items: [], waiting: [] }
    this.conversations.set('', opened(this.tree, ''))
  }

  add(event: LogEvent): void {
    const call = this.calls.get(event.span)?.tree
    switch (event.kind) {
      case 'conversation': {
        const { agent, model } = event
        Object.assign(this.conversation(event).node, { agent, model })
        break
      }
      case 'message':
        this.message(event)
        break
      case 'change': {
        const row = this.rows.get(rowKey(event))
        if (row) row.message = event.message
        break
      }
      case 'call':
        this.call(event)
        break
      case 'ask':
        if (call) call.waiting = waitingOf(event)
        break
      case 'decision':
        if (!call) break
        call.decision = { approved: event.approved, ...(event.why === undefined ? {} : { why: event.why }) }
        delete call.waiting
        break
      case 'call end': {
        if (!call) break
        const { ms, waited, usage, failed } = event
        call.end = { ms, waited, usage, failed }
        delete call.waiting
        break
      }
      case 'warning': {
        const caller = this.calls.get(event.span)?.caller ?? this.conversation(event)
        caller.home.entries.push({ kind: 'warning', text: event.text })
        break
      }
      case 'end':
        this.end(event)
    }
  }

  close(): RunTree {
    for (const { node, entries } of this.conversations.values())
      node.items = entries.flatMap(entry => closed(entry))
    this.tree.waiting = [...this.calls.values()].flatMap(({ tree }) => tree.waiting ?? [])
    return this.torn.length > 0 ? { ...this.tree, torn: this.torn } : this.tree
  }

  /** The conversation of a span. `thread`: it writes to that one. */
  private conversation({ span, parent }: Place, thread?: string): Open {
    const known = this.conversations.get(span)
    if (known) return known
    // What a tool's own code puts on its thread is told in the place of the call.
    const call = this.calls.get(span) ?? (parent === undefined ? undefined : this.calls.get(parent))
    const around = call || parent === undefined ? undefined : this.conversations.get(parent)
    const node: ConversationTree = { span, agent: '', model: '', items: [] }
    const { threads } = call ?? around ?? {}
    const home =
      call && onThreadOfCaller(call, thread)
        ? call.caller.home
        : thread === undefined
          ? undefined
          : threads?.get(thread)
    const made = opened(node, call?.tree.tool ?? '', home)
    this.conversations.set(span, made)
    if (home) return made
    if (thread !== undefined) threads?.set(thread, made)
    if (around) around.home.entries.push({ kind: 'thread', inside: node })
    else (call?.tree.inside ?? this.torn).push(node)
    return made
  }

  private message(event: Of<'message'>): void {
    const { message } = event
    const key = rowKey(event)
    const known = this.rows.get(key)
    if (known) {
      // A run that went on after a kill tells again what it had told.
      known.message = message
      return
    }
    const row: Row = { thread: event.thread, message, made: message.calls }
    this.rows.set(key, row)
    const { entries } = this.conversation(event, event.thread).home
    const last = entries.findLast(entry => !('kind' in entry))
    if (message.calls.length > 0) entries.push({ row, calls: [], results: [] })
    else if (message.role === 'tool' && last && isRound(last)) last.results.push(row)
    else entries.push(row)
  }

  private call({ span, parent = '', tool, number, at, ...event }: Of<'call'>): void {
    const handoff = event.handoff ? { handoff: true as const } : {}
    const tree: CallTree = { span, tool, number, arguments: event.arguments, at, ...handoff, inside: [] }
    const known = this.calls.get(span)
    if (known) {
      // Begun again after it was broken off: only the last attempt is shown.
      for (const key of ['end', 'decision', 'waiting'] as const) delete known.tree[key]
      const { inside } = known.tree
      Object.assign(known.tree, tree, { inside })
      return
    }
    const caller = this.callerOf(parent)
    const { entries } = caller.home
    let round = entries.findLast(isRound)
    if (!round) {
      round = { calls: [], results: [] }
      entries.push(round)
    }
    round.calls.push(tree)
    this.calls.set(span, { tree, caller, round, threads: new Map() })
  }

  /** What makes a call: a conversation, or the program of another call, whose calls stand inside of it. */
  private callerOf(span: string): Open {
    const call = this.calls.get(span)
    if (!call || this.conversations.has(span)) return this.conversation({ span })
    const made = opened({ span, agent: '', model: '', items: [] }, call.tree.tool)
    this.conversations.set(span, made)
    call.tree.inside.push(made.node)
    return made
  }

  private end(event: Of<'end'>): void {
    const { ended, limit, ms, waited, usage } = event
    const ending: End = { ended, ms, waited, usage, ...(limit === undefined ? {} : { limit }) }
    const told = this.conversation(event)
    told.node.end = ending
    if (told.home !== told && ended !== 'answer' && ended !== 'turn')
      told.home.entries.push({ kind: 'end', tool: told.tool, ...ending })
  }
}

/** True of a conversation in a handoff that took over: it writes to the thread that its call was made on. */
function onThreadOfCaller({ tree, round }: OpenCall, thread: string | undefined): boolean {
  if (!tree.handoff) return false
  // What runs before it took over (a rule that decides whether it asks, say) has a thread of its own.
  return thread === undefined || round.row === undefined || round.row.thread === thread
}

function opened(node: ConversationTree, tool: string, home?: Open): Open {
  const made: Omit<Open, 'home'> & { home?: Open } = { node, tool, entries: [], threads: new Map() }
  made.home = home ?? (made as Open)
  return made as Open
}

function rowKey({ thread, row }: { thread: string; row: number }): string {
  return `${thread}\n${row}`
}

function isRound(entry: Entry): entry is Round {
  return 'results' in entry
}

function waitingOf({ span, tool, number, arguments: input, why, at }: Of<'ask'>): Waiting {
  const own = `tool ${number} ${tool}`
  const around = span.endsWith(own) ? span.slice(0, -own.length) : ''
  return { step: `${around}ask ${number}`, tool, arguments: input, why, at }
}

function closed(entry: Entry): TreeItem[] {
  if ('kind' in entry) return [entry]
  if (isRound(entry)) return closedRound(entry)
  return shown(entry)
}

function shown({ message }: Row): TreeItem[] {
  return message ? [{ kind: 'message', message }] : []
}

/** The message of a round, then its calls in order, each with its result, then the results of calls that never began. */
function closedRound({ row, calls, results }: Round): TreeItem[] {
  const made = row?.made ?? []
  const left = row?.message?.calls ?? []
  const rest = [...results]
  const items = row ? shown(row) : []
  for (const call of calls.toSorted(byNumber)) {
    const own = made[indexInTurn(call)]
    const gone = call.handoff && own !== undefined && !left.some(each => each.id === own.id)
    items.push({ kind: 'call', ...call, ...(gone ? { tookOver: true as const } : {}) })
    // A provider's ids can be empty or repeated: of several results that fit, the first that is still there.
    const at = gone || !own ? -1 : rest.findIndex(result => result.message?.call === own.id)
    if (at >= 0) items.push(...rest.splice(at, 1).flatMap(shown))
  }
  return [...items, ...rest.flatMap(shown)]
}

/** Where in its turn a call stands, from 0: `2.3` is the third call of the second turn. -1: in no turn. */
function indexInTurn(call: CallTree): number {
  const [, index, ...deeper] = call.number.split('.')
  return deeper.length > 0 ? -1 : Number(index) - 1
}

/** 1.2 before 1.10, and before 1.2.1, which a program that the call 1.2 ran has made. */
function byNumber(a: CallTree, b: CallTree): number {
  const left = a.number.split('.').map(Number)
  const right = b.number.split('.').map(Number)
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = (left[i] ?? 0) - (right[i] ?? 0)
    if (order) return order
  }
  return left.length - right.length
}
