import type { OpenString } from './open-string.js'

/** One message of a prompt or of a conversation, in the form that language models take. */
export interface ModelMessage {
  role: 'assistant' | 'function' | 'user' | 'system' | 'tool'
  /** At most 100,000,000 characters. */
  content: string | null
}

/** What every language model's settings have in common. */
interface ModelSettings {
  /** What the conversation begins with; the system prompt is the message with role `system`. */
  messages?: ModelMessage[]
  /** Tools defined inline, as the platform's tool payloads. */
  tools?: Record<string, unknown>[]
  toolIds?: string[]
  knowledgeBaseId?: string
  /** 0–2. Not set: the platform's choice. */
  temperature?: number
  /** Most tokens of one reply, 50–10,000. Default 250. */
  maxTokens?: number
  /** Tells the model what the caller's voice sounds like. Default false. */
  emotionRecognitionEnabled?: boolean
  /** How many first turns use a smaller, faster model. At least 0; default 0. */
  numFastTurns?: number
}

/** A model of OpenAI's. */
export interface OpenAiModel extends ModelSettings {
  provider: 'openai'
  model: OpenString<'gpt-4o-mini' | 'gpt-4o' | 'gpt-4.1' | 'gpt-4.1-mini' | 'gpt-4.1-nano'>
  /** Tried in order when the model fails. */
  fallbackModels?: string[]
}

/** A model of any other provider: the shared settings, and whatever else that provider takes. */
export interface OtherModel extends ModelSettings {
  provider: OpenString<'anthropic' | 'google' | 'groq' | 'openrouter' | 'custom-llm'>
  model?: string
  [setting: string]: unknown
}

export type Model = OpenAiModel | OtherModel
