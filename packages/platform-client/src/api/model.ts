import type { CreateCustomKnowledgeBase } from './knowledge-base.js'
import type { ModelMessage } from './model-message.js'
import type { OpenString } from './open-string.js'
import type { CreateTool } from './tool.js'

/** What every language model's settings have in common. */
interface ModelSettings {
  /** What the conversation begins with; the system prompt is the message with role `system`. */
  messages?: ModelMessage[]
  /** Tools defined inline; may be used beside `toolIds`. */
  tools?: CreateTool[]
  /** Stored tools. */
  toolIds?: string[]
  /** A server of the developer's own that is asked for documents. */
  knowledgeBase?: CreateCustomKnowledgeBase
  knowledgeBaseId?: string
  /** 0–2. Default 0. */
  temperature?: number
  /** Most tokens of one reply, 50–10,000. Default 250. */
  maxTokens?: number
  /** Tells the model what the caller's voice sounds like. Default false. */
  emotionRecognitionEnabled?: boolean
  /** How many first turns use a smaller, faster model. At least 0; default 0. */
  numFastTurns?: number
}

/** A model of OpenAI's. A region may follow the name (`gpt-4o-2024-11-20:westus`); without one the platform takes the fastest. */
export interface OpenAiModel extends ModelSettings {
  provider: 'openai'
  model: OpenAiModelName
  /** Tried in order when the model fails. */
  fallbackModels?: OpenAiModelName[]
  /** What becomes of a strict tool's rules that Azure's models cannot keep. Default `strip-unsupported-validation`: the rule goes, the parameter stays. */
  toolStrictCompatibilityMode?:
    | 'strip-parameters-with-unsupported-validation'
    | 'strip-unsupported-validation'
}

export type OpenAiModelName = OpenString<
  | 'gpt-4.1'
  | 'gpt-4.1-mini'
  | 'gpt-4.1-nano'
  | 'gpt-4o'
  | 'gpt-4o-mini'
  | 'gpt-4-turbo'
  | 'gpt-3.5-turbo'
  | 'chatgpt-4o-latest'
  | 'o1-mini'
  | 'o1-preview'
  | 'o3'
  | 'o3-mini'
  | 'o4-mini'
>

/** A model of Anthropic's. */
export interface AnthropicModel extends ModelSettings {
  provider: 'anthropic'
  model: AnthropicModelName
  thinking?: AnthropicThinking
}

export type AnthropicModelName = OpenString<
  | 'claude-opus-4-20250514'
  | 'claude-sonnet-4-20250514'
  | 'claude-3-7-sonnet-20250219'
  | 'claude-3-5-sonnet-20241022'
  | 'claude-3-5-haiku-20241022'
  | 'claude-3-opus-20240229'
>

/** For `claude-3-7-sonnet-20250219` only. `maxTokens` must be more than the budget. */
export interface AnthropicThinking {
  type: 'enabled'
  /** Tokens, 1024–100,000. */
  budgetTokens: number
}

/** A model of Google's. */
export interface GoogleModel extends ModelSettings {
  provider: 'google'
  model: GoogleModelName
  /** For `gemini-2.0-flash-realtime-exp` only. */
  realtimeConfig?: {
    topP?: number
    topK?: number
    presencePenalty?: number
    frequencyPenalty?: number
    speechConfig?: {
      voiceConfig: {
        prebuiltVoiceConfig: { voiceName: OpenString<'Puck' | 'Charon' | 'Kore' | 'Fenrir' | 'Aoede'> }
      }
    }
  }
}

export type GoogleModelName = OpenString<
  | 'gemini-2.5-pro'
  | 'gemini-2.5-flash'
  | 'gemini-2.5-flash-lite'
  | 'gemini-2.0-flash'
  | 'gemini-2.0-flash-lite'
  | 'gemini-2.0-flash-realtime-exp'
  | 'gemini-1.5-flash'
  | 'gemini-1.5-pro'
>

/** A model behind an address that speaks OpenAI's protocol. */
export interface CustomModel extends ModelSettings, CustomModelServer {
  provider: 'custom-llm'
  model: string
}

/** How a model of the developer's own is reached. */
export interface CustomModelServer {
  /** Base address, without `/chat/completions`. */
  url: string
  /** Seconds to wait for the first token, 20–600. Default 20. */
  timeoutSeconds?: number
  /** How the assistant's `metadata` goes along: not, as `metadata` beside the call, or field by field. Default `variable`. */
  metadataSendMode?: 'off' | 'variable' | 'destructured'
}

/** A model of any other provider, or with settings that came later: the shared settings, and whatever else it takes. */
export interface OtherModel extends ModelSettings {
  provider: OpenString<
    | 'openai'
    | 'anthropic'
    | 'google'
    | 'custom-llm'
    | 'anthropic-bedrock'
    | 'anyscale'
    | 'cerebras'
    | 'deep-seek'
    | 'deepinfra'
    | 'groq'
    | 'inflection-ai'
    | 'minimax'
    | 'openrouter'
    | 'perplexity-ai'
    | 'together-ai'
    | 'xai'
  >
  model?: string
  [setting: string]: unknown
}

/** The language model that thinks of what the assistant says. */
export type Model = OpenAiModel | AnthropicModel | GoogleModel | CustomModel | OtherModel
