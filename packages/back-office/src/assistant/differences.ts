import type { Assistant } from '@heyline/platform-client'
import { type Kept, messagesOf, promptOf, type ShownAssistant, shown } from './shown-assistant.js'

/** One setting that is not what it was. Texts are left out of settings that operators do not see. */
export interface Difference {
  field: string
  before: string | null
  after: string | null
}

/** What an editor may change: of the voice its provider and its id, of the model what operators see. */
const EDITABLE: ReadonlySet<string> = new Set(['name', 'firstMessage', 'prompt', 'voice', 'model'])
export const LIMITS = ['maxDurationSeconds', 'silenceTimeoutSeconds'] as const

export const isEditable = (field: string): boolean => EDITABLE.has(field)

/** Of the row, and no settings. */
const OF_THE_ROW: ReadonlySet<string> = new Set(['id', 'orgId', 'createdAt', 'updatedAt'])
const SHOWN_OF_MODEL: ReadonlySet<string> = new Set([
  ...['provider', 'model', 'temperature', 'maxTokens', 'messages'],
])
const SHOWN_OF_VOICE: ReadonlySet<string> = new Set(['provider', 'voiceId'])

/** What is different between two states of an assistant, in the order of the console's form. */
export function differencesOf(before: Kept, after: Kept): Difference[] {
  const [old, now] = [textsOf(before), textsOf(after)]
  const seen = Object.keys(now)
    .filter(
      (field) =>
        old[field] !== now[field] || (field === 'voice' && !isSame(whoSpeaks(before), whoSpeaks(after))),
    )
    .map((field) => ({ field, before: old[field] ?? null, after: now[field] ?? null }))
  // Settings of another provider's voice go with it, as in a plain change (`stored-assistant.ts`).
  const isOtherVoice = voiceOf(before).provider !== voiceOf(after).provider
  const [oldRest, newRest] = [restOf(isOtherVoice ? { ...before, voice: undefined } : before), restOf(after)]
  const unseen = [...new Set([...oldRest.keys(), ...newRest.keys()])]
    .filter((field) => !isSame(oldRest.get(field), newRest.get(field)))
    .map((field) => ({ field, before: null, after: null }))
  return [...seen, ...unseen]
}

/** What operators see, as texts. */
function textsOf(settings: Kept): Record<string, string | null> {
  const seen = shown({ ...settings, id: '', orgId: '', createdAt: '', updatedAt: '' } as Assistant)
  const { name, firstMessage, prompt, voice, model, limits } = seen
  return {
    ...{ name, firstMessage, prompt },
    voice: voice && [voice.provider, voice.voiceId].filter(Boolean).join(' '),
    model: model && modelText(model),
    maxDurationSeconds: String(limits.maxDurationSeconds),
    silenceTimeoutSeconds: String(limits.silenceTimeoutSeconds),
  }
}

const modelText = ({ provider, model, temperature, maxTokens }: NonNullable<ShownAssistant['model']>) =>
  [
    `${provider} ${model}`,
    ...(temperature === null ? [] : [`temperature ${temperature}`]),
    ...(maxTokens === null ? [] : [`${maxTokens} tokens`]),
  ].join(', ')

/** All other settings by their names. */
function restOf(settings: Kept): Map<string, unknown> {
  const seen = new Set<string>(['name', 'firstMessage', 'voice', 'model', ...LIMITS])
  const model = Object(settings.model) as Kept
  const others = messagesOf(model).filter((message) => message !== promptOf(model))
  return new Map([
    ...Object.entries(settings).filter(([name]) => !seen.has(name) && !OF_THE_ROW.has(name)),
    ...unseenIn('voice', voiceOf(settings), SHOWN_OF_VOICE),
    ...unseenIn('model', model, SHOWN_OF_MODEL),
    ...(others.length > 0 ? [['model.messages', others] as [string, unknown]] : []),
  ])
}

const unseenIn = (place: string, settings: Kept, seen: ReadonlySet<string>): [string, unknown][] =>
  Object.entries(settings).flatMap(([name, value]) => (seen.has(name) ? [] : [[`${place}.${name}`, value]]))

const voiceOf = (settings: Kept) => Object(settings.voice) as Kept
const whoSpeaks = (settings: Kept) => [...SHOWN_OF_VOICE].map((name) => voiceOf(settings)[name])

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
