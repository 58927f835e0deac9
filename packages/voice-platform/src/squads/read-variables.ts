import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { Model, ModelMessage } from '../engines/engine.js'
import { OFFLINE_MODEL } from '../engines/offline/offline-model.js'
import { jsonAnswer, misfit } from '../work/json-answer.js'

/** Longest that somebody on the line waits for it, in milliseconds. */
const PATIENCE_MS = 5_000
const MOST_ANSWER = 20_000
const MOST_READ = 60_000

const TASK =
  'You read data out of a telephone call. Answer with one JSON object by the JSON schema, and nothing else. Leave out what was not said.\n\nJSON schema:\n'

export interface ReadVariablesOptions {
  model: Model
  /** The model that the assistant names. */
  named: string | undefined
  clock: Clock
  logger: Logger
}

/**
 * What was said, by a JSON schema, as variables. Empty where the model does not answer in time, answers something else, or follows no
 * instructions. Never rejects.
 */
export async function readVariables(
  schema: unknown,
  said: readonly ModelMessage[],
  signal: AbortSignal,
  { model, named, clock, logger }: ReadVariablesOptions,
): Promise<Record<string, unknown>> {
  if (model.name === OFFLINE_MODEL) return {}
  const late = new AbortController()
  const stop = clock.after(PATIENCE_MS, () => late.abort(new Error('no answer in time')))
  const words = said
    .filter(({ role, content }) => (role === 'user' || role === 'assistant') && content !== '')
    .map(({ role, content }) => `${role}: ${content}`)
    .join('\n')
  let answer = ''
  try {
    const both = AbortSignal.any([signal, late.signal])
    const reply = model.reply(
      [
        { role: 'system', content: TASK + JSON.stringify(schema) },
        { role: 'user', content: words.slice(-MOST_READ) || '(nothing was said)' },
      ],
      { signal: both, maxTokens: 1_000, temperature: 0, ...(named !== undefined && { model: named }) },
    )
    for await (const piece of reply) {
      both.throwIfAborted()
      answer += piece
      if (answer.length > MOST_ANSWER) break
    }
    const found = jsonAnswer(answer)
    if (found && misfit(found, schema) === undefined) return found
    logger.warn('variables could not be read from what was said: the answer is not what was asked for')
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, 'variables could not be read from what was said')
  } finally {
    stop()
  }
  return {}
}
