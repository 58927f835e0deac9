import type { AssistantTexts } from '../visitor/visitor.js'

/** The model of every browser call (spec 7.5, 9). */
const MODEL = {
  provider: 'openai',
  model: 'gpt-4o-mini',
  emotionRecognitionEnabled: true,
  maxTokens: 250,
} as const

/** What a browser call changes on the configured assistant. */
export interface AssistantOverrides {
  firstMessage?: string
  model: typeof MODEL & { messages?: [{ role: 'system'; content: string }] }
}

/** The overrides of spec 7.5. An empty text is left out: the assistant's own then holds. */
export function assistantOverrides({ system, first_message }: AssistantTexts): AssistantOverrides {
  return {
    ...(first_message?.trim() ? { firstMessage: first_message } : {}),
    model: { ...MODEL, ...(system?.trim() ? { messages: [{ role: 'system', content: system }] } : {}) },
  }
}
