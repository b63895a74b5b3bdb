// How the tools are told to the model, and which tool a call of the model means.
import type { AgentDefinition, Sequence } from '../define/agent.ts'
import type { Found, Told } from '../define/entries.ts'
import type { Call, FunctionObject } from '../define/records.ts'
import type { Serving } from '../define/serving.ts'
import type { Shape } from '../value/shape.ts'
import { answerFunction } from './answer.ts'
import { listed } from './list.ts'

/** The tools of a conversation, told. The lists are made once, so that each request is told the very same. */
export interface Toolbox {
  /** What the model is told to be and to do, with what the way of telling adds. */
  readonly instructions: string
  /** What is on offer in a round. */
  readonly functions: readonly FunctionObject[]
  /** What is on offer in the last turn: nothing, or only `answer`. */
  readonly last: readonly FunctionObject[]
  /** How large instructions and functions are together, in characters. */
  readonly size: number
  /** The names that a call may have, for a model that made one up. */
  readonly names: readonly string[]
  find(call: Call): Found
  /** Waits for the outside servers behind the tools. */
  ready?(warn: (text: string) => void): Promise<void>
  /** What is told now, where some of the tools are not. */
  offered?(): Pick<Toolbox, 'instructions' | 'functions'>
}

/** How an agent tells its tools, where not each as a function of its own. */
export interface Way {
  list?: boolean | undefined
  sequence?: Sequence | undefined
}

const boxes = new WeakMap<AgentDefinition, Toolbox>()

/** The toolbox of an agent, which is asked for `output` (its own, or the one that `ask` states), with `extra` tools. */
export function agentToolbox(
  agent: AgentDefinition,
  output: Shape | undefined,
  extra: readonly Told[] = [],
): Toolbox {
  if (output !== agent.output || extra.length > 0) return boxOf(agent, [...agent.told, ...extra], output)
  let box = boxes.get(agent)
  if (!box) {
    box = boxOf(agent, agent.told, output)
    boxes.set(agent, box)
  }
  return box
}

function boxOf(agent: AgentDefinition, told: readonly Told[], output: Shape | undefined): Toolbox {
  return servedBox(agent.services, told, shown => toolbox(agent.instructions, shown, output, agent))
}

/** The toolbox that `make` makes; where outside servers stand among the tools, those that are not offered are not told. */
export function servedBox(
  services: readonly Serving[],
  told: readonly Told[],
  make: (told: readonly Told[]) => Toolbox,
): Toolbox {
  const box = make(told)
  if (services.length === 0) return box
  // The last list is kept: as long as nothing comes or goes, each request is told the very same.
  let before = { hidden: '[]', box }
  const offered = (): Toolbox => {
    const hidden = told.filter(each => each.definition.offered?.() === false).map(each => each.name)
    const key = JSON.stringify(hidden)
    if (key !== before.hidden) {
      const shown = told.filter(each => !hidden.includes(each.name))
      before = { hidden: key, box: make(shown) }
    }
    return before.box
  }
  const ready = async (warn: (text: string) => void): Promise<void> => {
    await Promise.all(services.map(service => service.ready?.(warn)))
  }
  return Object.defineProperties({} as Toolbox, {
    ...Object.getOwnPropertyDescriptors(box),
    ready: { value: ready, enumerable: true },
    offered: { value: offered, enumerable: true },
  })
}

/** The same tools under other instructions. */
export function instructed(box: Toolbox, instructions: string): Toolbox {
  const { offered } = box
  if (!offered) return { ...box, instructions }
  return { ...box, instructions, offered: () => ({ ...offered(), instructions }) }
}

/** Tells the tools: each as a function, as a list, or through the one function of a sequence. */
export function toolbox(
  instructions: string,
  told: readonly Told[],
  output: Shape | undefined,
  way: Way = {},
): Toolbox {
  const { instructions: more, functions, names, find } = way.list ? listed(told) : each(way.sequence, told)
  const last = output ? [answerFunction(output)] : []
  const all = [...functions, ...last]
  const said = [instructions, more].filter(Boolean).join('\n\n')
  let size: number | undefined
  return {
    instructions: said,
    functions: all,
    last,
    // Measured where it matters: in a conversation whose window is known.
    get size() {
      size ??= said.length + JSON.stringify(all).length
      return size
    },
    names,
    find,
  }
}

function each(sequence: Sequence | undefined, told: readonly Told[]): Omit<Toolbox, 'last' | 'size'> {
  const offered = sequence ? [itself(sequence.tool(told))] : told
  const byName = new Map(offered.map(t => [t.name, t]))
  return {
    instructions: sequence?.instructions(told) ?? '',
    functions: offered.map(functionObject),
    names: [...byName.keys()],
    find: call => ({ told: byName.get(call.tool), call }),
  }
}

function itself(definition: Told['definition']): Told {
  const { name, about, line, tries } = definition
  return { name, about, line, tries, definition }
}

function functionObject(told: Told): FunctionObject {
  return {
    type: 'function',
    function: { name: told.name, description: told.about, parameters: told.definition.input.schema },
  }
}
