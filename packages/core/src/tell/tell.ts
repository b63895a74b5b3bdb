// How the tools are told to the model, and which tool a call of the model means.
import type { AgentDefinition, Sequence } from '../define/agent.ts'
import type { Found, Told } from '../define/entries.ts'
import type { Call, FunctionObject } from '../define/records.ts'
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
  if (output !== agent.output || extra.length > 0)
    return toolbox(agent.instructions, [...agent.told, ...extra], output, agent)
  let box = boxes.get(agent)
  if (!box) {
    box = toolbox(agent.instructions, agent.told, output, agent)
    boxes.set(agent, box)
  }
  return box
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
