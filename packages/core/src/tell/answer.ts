// The tool `answer`, as it is told to a model.
import { ANSWER, type FunctionObject, type JsonSchema } from '../define/records.ts'
import type { Shape } from '../value/shape.ts'

/** The key under which an answer that is no record is wrapped, because arguments must be a record. */
export const WRAP = 'response'

const functions = new WeakMap<Shape, FunctionObject>()

/** `answer` as it is told to a model that is asked for `output`. */
export function answerFunction(output: Shape): FunctionObject {
  let told = functions.get(output)
  if (!told) {
    const parameters = isRecord(output.schema) ? output.schema : wrapped(output.schema)
    const description = 'Gives the answer that was asked for. Call it once, when the answer is complete.'
    told = { type: 'function', function: { name: ANSWER, description, parameters } }
    functions.set(output, told)
  }
  return told
}

/** `output` as a response format: always wrapped, because a format must be a record. */
export function answerFormat(output: Shape): { name: string; schema: JsonSchema } {
  return { name: ANSWER, schema: wrapped(output.schema) }
}

function wrapped(schema: JsonSchema): JsonSchema {
  // What it refers to by `#/$defs/…` stands at the root.
  const { $defs, definitions, ...inner } = typeof schema === 'object' ? schema : { not: {} }
  return {
    type: 'object',
    properties: { [WRAP]: typeof schema === 'object' ? inner : schema },
    required: [WRAP],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  }
}

/** True where the arguments of `answer` are the answer itself. */
export function isRecord(schema: JsonSchema): boolean {
  return typeof schema === 'object' && schema.type === 'object'
}
