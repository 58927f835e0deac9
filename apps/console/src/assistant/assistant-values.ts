import type { Office } from '../office/office.js'
import type { Assistant } from './use-assistant.js'

type Changes = NonNullable<Parameters<Office['assistant']['update']>[0]>

/** The assistant as its form has it: numbers are texts, and empty where the platform chooses. */
export interface AssistantValues {
  name: string
  firstMessage: string
  prompt: string
  voice: { provider: string; voiceId: string }
  model: { provider: string; model: string; temperature: string; maxTokens: string }
}

export function valuesOf({ name, firstMessage, prompt, voice, model }: Assistant): AssistantValues {
  return {
    name,
    firstMessage,
    prompt,
    voice: { provider: voice?.provider ?? '', voiceId: voice?.voiceId ?? '' },
    model: {
      provider: model?.provider ?? '',
      model: model?.model ?? '',
      temperature: model?.temperature?.toString() ?? '',
      maxTokens: model?.maxTokens?.toString() ?? '',
    },
  }
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** What was changed in the form, and nothing else: what somebody else changed meanwhile stays. */
export function changesOf(
  { voice, model, ...texts }: AssistantValues,
  dirty: Partial<Record<keyof AssistantValues, unknown>>,
): Changes {
  const changed = Object.entries(texts).filter(([name]) => dirty[name as keyof AssistantValues])
  return {
    ...Object.fromEntries(changed),
    ...(dirty.voice !== undefined && { voice }),
    ...(dirty.model !== undefined && {
      model: { ...model, temperature: numberOf(model.temperature), maxTokens: numberOf(model.maxTokens) },
    }),
  }
}
