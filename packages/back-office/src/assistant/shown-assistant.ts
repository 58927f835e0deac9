import type { Assistant } from '@heyline/platform-client'
import type { assistantOperations } from '../operations/assistant-operations.js'
import type { AnswerOf } from '../operations/operation.js'

/** The assistant as operators see it. */
export type ShownAssistant = Awaited<AnswerOf<(typeof assistantOperations)['show']>>
/** As the platform keeps them: a provider's own settings are there too. */
export type Kept = Record<string, unknown>

/** The platform's defaults. */
const DEFAULT_LIMITS: ShownAssistant['limits'] = { maxDurationSeconds: 600, silenceTimeoutSeconds: 30 }

/** What of a stored assistant operators see. */
export function shown({ id, name, firstMessage, updatedAt, ...rest }: Assistant): ShownAssistant {
  const voice = rest.voice as Kept | undefined
  const model = rest.model as Kept | undefined
  return {
    id,
    name: name ?? '',
    firstMessage: firstMessage ?? '',
    prompt: textOf(promptOf(model)?.content),
    voice: voice ? { provider: textOf(voice.provider), voiceId: textOf(voice.voiceId) || null } : null,
    model: model
      ? {
          provider: textOf(model.provider),
          model: textOf(model.model),
          temperature: numberOf(model.temperature),
          maxTokens: numberOf(model.maxTokens),
        }
      : null,
    limits: {
      maxDurationSeconds: rest.maxDurationSeconds ?? DEFAULT_LIMITS.maxDurationSeconds,
      silenceTimeoutSeconds: rest.silenceTimeoutSeconds ?? DEFAULT_LIMITS.silenceTimeoutSeconds,
    },
    updatedAt,
  }
}

export const messagesOf = (model: Kept | undefined): Kept[] =>
  Array.isArray(model?.messages) ? model.messages : []
/** The first system message. */
export const promptOf = (model: Kept | undefined) => messagesOf(model).find(({ role }) => role === 'system')

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
