// A model out of one of the AI SDK's.
import type { Model, Request, Turn, TurnPiece } from '../../define/records.ts'
import { ToolwrightError } from '../../errors.ts'
import { type ApiClock, apiClock } from '../clock.ts'
import type { Failure } from '../failure.ts'
import { wireNames } from '../names.ts'
import { priced } from '../price.ts'
import { retried, type Tried } from '../retry.ts'
import { masker } from '../secrets.ts'
import { withHeaders } from '../settings.ts'
import { modelError } from '../trouble.ts'
import { type Watch, watch } from '../watch.ts'
import { type Gather, gather } from './gather.ts'
import { modelMark } from './kept.ts'
import { optionsOf } from './prompt.ts'
import type { AiSdkModel, CallOptions } from './spec.ts'
import { failureOf } from './trouble.ts'

/** What {@link fromAiSdk} may be told of the model. */
export interface AiSdkOptions extends Pick<Model, 'images' | 'price'> {
  /** Its context window in tokens [0: unknown]. */
  window?: number
  /** How long it may be silent, in ms [300,000: 5 minutes]; 0: for ever. */
  idle?: number
  /** How often one turn is asked for at most, the first time included [4]. */
  tries?: number
  /** Takes each different warning of the SDK once: a setting that the model does not take, say [console.warn]. */
  warn?: (warning: string) => void
  clock?: ApiClock
}

/**
 * The model `languageModel` of the AI SDK (specification 2, 3 or 4), as `anthropic('…')` and the like give it. Its
 * reasoning and signatures, and what else its provider wants back, are kept with the message and sent back to it alone.
 * Turns are tried again as an endpoint's are. Throws T3014 where it is no such model.
 */
export function fromAiSdk(languageModel: AiSdkModel, options: AiSdkOptions = {}): Model {
  const version = languageModel?.specificationVersion
  if (!['v2', 'v3', 'v4'].includes(version) || typeof languageModel.doStream !== 'function') {
    throw new ToolwrightError(
      'T3014',
      'what was given is no language model of the AI SDK that is known here',
      {
        fix: "Give one such as anthropic('…') or openai('…') of AI SDK 5, 6 or 7.",
      },
    )
  }
  const { images, price, clock = apiClock, tries = 4 } = options
  const name = languageModel.modelId
  const by = modelMark(languageModel)
  const warn = once(options.warn ?? (warning => console.warn(`model '${name}': ${warning}`)))

  async function turn(
    request: Request,
    each: (piece: TurnPiece) => boolean,
    signal: AbortSignal,
  ): Promise<Turn> {
    const names = wireNames(request.tools, request.messages)
    const asked = optionsOf(request, { by, version, images: images ?? true })
    const mask = masker(withHeaders({ url: '' }, request.settings))
    const what = `model '${name}' of ${languageModel.provider}`
    const begin = () => gather({ names, window: options.window ?? 0, by, each, warn })

    async function attempt(n: number): Promise<Tried<Turn>> {
      const gathering = begin()
      const watching = watch(signal, options.idle ?? 300_000)
      try {
        const failure = await exchange(languageModel, asked, gathering, watching, options, clock)
        if (gathering.stopped || watching.why === 'stopped') return { value: gathering.turn(true) }
        if (!failure) return { value: gathering.turn(false) }
        const again = failure.again === true && !gathering.shown
        return { error: modelError(failure, { what, mask, n }), again, wait: failure.wait }
      } finally {
        watching.end()
      }
    }

    return priced((await retried(attempt, { tries, clock, signal })) ?? begin().turn(true), price)
  }

  return {
    name,
    ...(images === undefined ? {} : { images }),
    ...(price === undefined ? {} : { price }),
    window: () => options.window ?? 0,
    turn,
  }
}

/** Asks the model and reads its stream into `turn`. Answers what went wrong, if anything did. */
async function exchange(
  model: AiSdkModel,
  asked: Omit<CallOptions, 'abortSignal'>,
  turn: Gather,
  watching: Watch,
  { idle = 300_000 }: AiSdkOptions,
  clock: ApiClock,
): Promise<Failure | undefined> {
  const silence: Failure = { code: 'T3010', words: '' }
  if (watching.why) return silence
  let reader: ReadableStreamDefaultReader<unknown> | undefined
  try {
    const sent = model.doStream({ ...asked, abortSignal: watching.signal } as never)
    // One that does not heed its signal may still answer: nobody reads it then.
    const late = Promise.resolve(sent)
    const answer = await Promise.race([late, watching.given])
    if (!answer) {
      late.then(({ stream }) => stream.cancel()).catch(() => {})
      return silence
    }
    reader = answer.stream.getReader()
    for (;;) {
      watching.touch(idle)
      const part = await Promise.race([reader.read(), watching.given])
      if (!part) return silence
      if (part.done) break
      turn.part(part.value)
      const { failure } = turn
      if (failure) return 'error' in failure ? failureOf(failure.error, clock.now()) : failure
      if (turn.stopped) return undefined
    }
    return turn.finished ? undefined : { code: 'T3008', words: '', again: true }
  } catch (error) {
    if (watching.why) return silence
    // What was finished is whole, whatever comes of the stream then.
    return turn.finished ? undefined : failureOf(error, clock.now())
  } finally {
    reader?.cancel().catch(() => {})
  }
}

/** Passes each different text on once. */
function once(warn: (warning: string) => void): (warning: string) => void {
  const told = new Set<string>()
  return warning => {
    if (told.has(warning)) return
    told.add(warning)
    warn(warning)
  }
}
