// A model called as a function: it states its own input and output, and is called by code and as a tool.
import { agent } from '../define/agent.ts'
import type { Inner } from '../define/context.ts'
import { nameFault, unknownOptions } from '../define/names.ts'
import type { Model, Settings } from '../define/records.ts'
import { readSettings } from '../define/settings.ts'
import { definition, statedShape, type Tool, toTool, type Usable } from '../define/tool.ts'
import type { Typed } from '../define/typed.ts'
import { type Fault, refuse } from '../errors.ts'
import { modelOf } from '../model/model.ts'
import type { InferArguments, InferInput, Statement } from '../value/shape.ts'
import { current } from './ambient.ts'
import { ask, run } from './run.ts'
import { thread } from './thread.ts'

/** What {@link model} takes. */
export interface ModelStated<I extends Statement, O extends Statement> {
  model: Model | string
  /** What it does, as another model is told. */
  about: string
  input: I
  output: O
  /** What the model is told to do with the input. */
  instructions?: string
  settings?: Settings
}

/** What {@link model} takes where its types are told: `model<Text, Summary>('sum up', { … })`. */
export interface ModelTyped extends Omit<ModelStated<Statement, Statement>, 'input' | 'output'> {
  input?: undefined
  output?: undefined
}

const OPTIONS = ['model', 'about', 'input', 'output', 'instructions', 'settings']

/**
 * A model as a function of a record: `await summarise({ text })`. It is read-only, and one turn of the model:
 * the input is the prompt, as JSON where it is no text. Inside a tool it is charged to the run, as any `llm` call.
 */
export function model<const I extends Statement, const O extends Statement>(
  name: string,
  stated: ModelStated<I, O>,
  typed?: Typed,
): Tool<InferInput<I>, InferInput<O>, InferArguments<I>>
/** The same for types I and O, from their declarations (`@toolwright/typed`). */
export function model<I, O>(name: string, stated: ModelTyped, typed?: Typed): Tool<I, O>
export function model(
  name: string,
  stated: ModelTyped | ModelStated<Statement, Statement>,
  typed?: Typed,
): Usable {
  const told = typed?.()
  const faults: Fault[] = []
  const wrong = nameFault(name)
  if (wrong) faults.push({ option: 'name', problem: wrong })
  faults.push(
    ...unknownOptions(stated, OPTIONS, {
      prompt: 'write instructions',
      tools: 'write an agent: agent(name, { … })',
    }),
  )
  if (typeof stated.about !== 'string' || stated.about.trim() === '')
    faults.push({ option: 'about', problem: 'is missing', fix: 'say in a sentence what it does' })
  const input = need('input', stated.input ?? told?.input, faults)
  const output = need('output', stated.output ?? told?.output, faults)
  if (stated.model === undefined)
    faults.push({ option: 'model', problem: 'is missing', fix: "write model: endpoint(), or a model's name" })
  const settings = readSettings(stated.settings, faults)
  refuse(`model ${JSON.stringify(name)}`, faults)
  const { instructions = '' } = stated
  const answers = modelOf(stated.model)
  const isText =
    typeof output!.schema === 'object' && output!.schema['type'] === 'string' && !('enum' in output!.schema)
  const shape = isText ? {} : { output: output!.schema }
  const one = agent(name, { model: answers, instructions, tools: [], ...(settings ? { settings } : {}) })
  return toTool(
    definition({
      name,
      about: stated.about.trim(),
      input: input!,
      output: output!,
      readOnly: true,
      execute(read: unknown, ctx: Inner) {
        const prompt = typeof read === 'string' ? read : JSON.stringify(read)
        const inside = ctx.callKey === '' ? current() : ctx
        if (!inside)
          return isText
            ? run(one, prompt, { thread: thread() })
            : ask(one, prompt, { thread: thread(), ...(shape as { output: Statement }) })
        const llm = inside.llm as (prompt: string, options: object) => Promise<unknown>
        return llm(prompt, {
          model: answers,
          system: instructions,
          ...shape,
          ...(settings ? { settings } : {}),
        })
      },
    }),
  )
}

function need(option: string, stated: unknown, faults: Fault[]): ReturnType<typeof statedShape> {
  if (stated !== undefined) return statedShape(option, stated, faults)
  faults.push({ option, problem: 'is missing', fix: `write ${option}: { name: text() }` })
  return undefined
}
