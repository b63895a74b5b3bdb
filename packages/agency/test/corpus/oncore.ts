// The TypeScript beside a program: its code runs in a call of the core, as a node's does, and asks a model with the
// same turns. What the model was asked is kept.
import { DECLINED, tool } from '@toolwright/core'
import { callOnce } from '@toolwright/core/engine'
import { scriptedModel } from '../../src/index.ts'
import type { BatchResult } from '../run.ts'
import type { Case } from './case.ts'

export interface OnCore {
  value: unknown
  requests: BatchResult['requests']
}

export async function onCore({ same, turns = [], args = [] }: Case): Promise<OnCore> {
  const requests: BatchResult['requests'] = []
  const scripted = scriptedModel(turns)
  const model: typeof scripted = {
    ...scripted,
    turn(request, each, signal) {
      const { instructions, messages, tools } = request
      requests.push(structuredClone({ instructions, messages: [...messages], tools: [...tools] }) as never)
      return scripted.turn(request, each, signal)
    },
  }
  let value: unknown
  const given = (Array.isArray(args) ? args : [args]) as never[]
  const main = tool('main', {
    about: 'The program.',
    timeout: Number.POSITIVE_INFINITY,
    run: async () => {
      value = await same!(...given)
    },
  })
  const done = await callOnce(main, '{}', { model, declined: () => DECLINED })
  if (done.failed) throw new Error(done.text)
  return { value, requests }
}

/** That nothing is required may be said by an empty list, or not at all. */
function unrequired(key: string, value: unknown): unknown {
  return key === 'required' && Array.isArray(value) && value.length === 0 ? undefined : value
}

/** What a model was asked, as far as both sides have to agree: who says what, and what each tool is told as. */
export function asked(requests: BatchResult['requests']): unknown {
  return requests.map(({ instructions, messages, tools }) => ({
    instructions,
    messages: messages.map(({ role, text, calls, call, images }) => ({
      role,
      text,
      calls,
      call,
      images: images?.length ?? 0,
    })),
    tools: tools.map(({ function: { name, description, parameters } }) => ({
      name,
      description,
      parameters: JSON.parse(JSON.stringify(parameters, unrequired)),
    })),
  }))
}
