import type { ModelMessage } from '../engines/engine.js'
import { OFFLINE_MODEL } from '../engines/offline/offline-model.js'
import { jsonAnswer, misfit } from '../work/json-answer.js'
import { namedValue } from '../work/schema-values.js'
import { type AskedModel, askModel } from './ask-model.js'

const MOST_READ = 60_000

const TASK =
  'You read data out of a telephone call. Answer with one JSON object by the JSON schema, and nothing else. Leave out what was not said.\n\nJSON schema:\n'

/**
 * What was said, by a JSON schema, as variables: what that names, and nothing else that a caller may talk the model into. Empty where the model does not answer in time, answers something else, or follows no
 * instructions. Never rejects.
 */
export async function readVariables(
  schema: unknown,
  said: readonly ModelMessage[],
  signal: AbortSignal,
  asked: AskedModel,
): Promise<Record<string, unknown>> {
  if (asked.model.name === OFFLINE_MODEL) return {}
  const words = said
    .filter(({ role, content }) => (role === 'user' || role === 'assistant') && content !== '')
    .map(({ role, content }) => `${role}: ${content}`)
    .join('\n')
  const question: ModelMessage[] = [
    { role: 'system', content: TASK + JSON.stringify(schema) },
    { role: 'user', content: words.slice(-MOST_READ) || '(nothing was said)' },
  ]
  const answer = await askModel(question, signal, asked)
  const found = answer && jsonAnswer(answer.text)
  if (found && misfit(found, schema) === undefined)
    return Object(namedValue(found, { ...Object(schema), additionalProperties: false }))
  asked.logger.warn('variables could not be read from what was said')
  return {}
}
