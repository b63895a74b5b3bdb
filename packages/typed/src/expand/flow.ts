// What a flow takes and gives, of the types of its `run`: `run: async ({ input, step }: FlowContext<Order>) => …`.
import type { ObjectPattern, TSType } from 'oxc-parser'
import { thunkOf } from '../read/evaluate.ts'
import type { Reader } from '../read/reader.ts'
import type { Scope } from '../read/scope.ts'
import { plain, type Type } from '../read/types.ts'
import { namedContext } from './context.ts'
import { type Parameter, parameterIn } from './input.ts'
import type { Signature } from './signature.ts'

interface Written {
  node: TSType
  scope: Scope
}

/** The input: the type argument of the call, that of `FlowContext`, or the field `input` of the parameter's type. */
export function flowInput(
  r: Reader,
  signature: Signature,
  given: Written | undefined,
): { parameter: Parameter; type: Type } | undefined {
  const first = signature.params[0] && parameterIn(signature.params[0])
  const type = given ? thunkOf(r, given.node, given.scope)() : first && typeOfInput(r, first, signature.scope)
  if (!type) return undefined
  const parameter = first ?? parameterless(signature)
  return { parameter: { ...parameter, pattern: first?.pattern && inputPattern(first.pattern) }, type }
}

function typeOfInput(r: Reader, { written }: Parameter, scope: Scope): Type | undefined {
  if (!written) return undefined
  const context = namedContext(r, 'FlowContext', written, scope)
  if (context) return context.args[0] && thunkOf(r, context.args[0], context.scope)()
  const record = plain(thunkOf(r, written, scope)())
  if (record.kind === 'refused') return record
  return record.kind === 'record' ? record.fields.get('input')?.type() : undefined
}

/** The output: the second type argument of the call, or what `run` says that it gives. */
export function flowOutput(r: Reader, signature: Signature, given: Written | undefined): Type | undefined {
  const written = given ?? (signature.returns && { node: signature.returns, scope: signature.scope })
  return written && thunkOf(r, unpromised(written.node), written.scope)()
}

function unpromised(type: TSType): TSType {
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return type
  return type.typeName.name === 'Promise' ? (type.typeArguments?.params[0] ?? type) : type
}

/** `{ input: { limit = 10 } }`: the part that takes the input apart, whose defaults count. */
function inputPattern(pattern: ObjectPattern): ObjectPattern | undefined {
  for (const each of pattern.properties)
    if (each.type === 'Property' && each.key.type === 'Identifier' && each.key.name === 'input')
      return each.value.type === 'ObjectPattern' ? each.value : undefined
  return undefined
}

function parameterless({ node }: Signature): Parameter {
  return {
    name: 'input',
    pattern: undefined,
    written: undefined,
    optional: false,
    fallback: undefined,
    node,
  }
}
