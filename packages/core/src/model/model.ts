// What may stand where a model is asked for: a model, or the name of one.
import type { Model } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'
import { endpoint } from './endpoint.ts'

/**
 * The model that is stated: itself, or for a text such as 'openai/gpt-5' the {@link endpoint} of that name. That one
 * is made at its first turn, so that an agent can be defined where the environment is not there yet; what is missing
 * then fails the turn. Throws T3014 where it is neither.
 */
export function modelOf(stated: Model | string): Model {
  if (typeof stated === 'string' && stated.trim() !== '') return named(stated.trim())
  if (typeof stated === 'object' && stated !== null && typeof stated.turn === 'function') return stated
  throw new ToolwrightError('T3014', "a model is a text such as 'openai/gpt-5', or a record { name, turn }", {
    fix: "Give what endpoint(), served() or scripted() gives, or a model's name.",
  })
}

function named(name: string): Model {
  let model: Model | undefined
  return {
    name,
    get formats() {
      try {
        model ??= endpoint(name)
        return model.formats === true
      } catch {
        // What is missing is told when it is asked.
        return false
      }
    },
    async turn(request, each, signal) {
      model ??= endpoint(name)
      return model.turn(request, each, signal)
    },
  }
}
