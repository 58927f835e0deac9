import type { AssistantOverrides } from '@heyline/platform-client'
import type { Visitor } from './visitor.js'

/** Longest call, in seconds. */
const maxDurationSeconds = 180

/** What a call changes about the assistant for this visitor (specification, 7 and 9). Empty texts are left out. */
export function createAssistantOverrides({
  system,
  first_message: firstMessage,
}: Visitor): AssistantOverrides {
  return {
    ...(firstMessage?.trim() ? { firstMessage } : {}),
    model: {
      provider: 'openai',
      model: 'gpt-4o-mini',
      emotionRecognitionEnabled: true,
      maxTokens: 250,
      ...(system?.trim() ? { messages: [{ role: 'system', content: system }] } : {}),
    },
    maxDurationSeconds,
  }
}
