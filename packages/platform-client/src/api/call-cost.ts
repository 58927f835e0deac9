import type { OpenString } from './open-string.js'

/** What every position has; more fields than are typed here may come. */
interface CostPosition {
  /** US dollars. */
  cost: number
  [detail: string]: unknown
}

/** Tokens of a language model. */
interface TokenPosition extends CostPosition {
  /** The model's settings. */
  model: Record<string, unknown>
  promptTokens: number
  completionTokens: number
}

/** The telephone line or the room. */
export interface TransportCost extends CostPosition {
  type: 'transport'
  provider?: OpenString<'daily' | 'twilio' | 'vonage' | 'vapi' | 'telnyx'>
  minutes: number
}

/** Speech to text. */
export interface TranscriberCost extends CostPosition {
  type: 'transcriber'
  /** The transcriber's settings. */
  transcriber: Record<string, unknown>
  minutes: number
}

/** The language model of the conversation. */
export interface ModelCost extends TokenPosition {
  type: 'model'
}

/** Text to speech. */
export interface VoiceCost extends CostPosition {
  type: 'voice'
  /** The voice's settings. */
  voice: Record<string, unknown>
  characters: number
}

/** The platform's own fee. */
export interface VapiCost extends CostPosition {
  type: 'vapi'
  /** `overage`: beyond what the plan includes. */
  subType: OpenString<'normal' | 'overage'>
  minutes: number
}

/** The analysis after the call. */
export interface AnalysisCost extends TokenPosition {
  type: 'analysis'
  analysisType: OpenString<'summary' | 'structuredData' | 'successEvaluation'>
}

/** Telling an answering machine from a person. */
export interface VoicemailDetectionCost extends CostPosition {
  type: 'voicemail-detection'
  /** The model's settings. */
  model: Record<string, unknown>
  provider: OpenString<'twilio' | 'google' | 'openai' | 'vapi'>
  promptTextTokens: number
  promptAudioTokens: number
  completionTextTokens: number
  completionAudioTokens: number
}

/** Looking up a knowledge base. */
export interface KnowledgeBaseCost extends TokenPosition {
  type: 'knowledge-base'
}

/** A chat. */
export interface ChatCost extends CostPosition {
  type: 'chat'
}

/** One position of what a call cost; `type` says of what. A squad's call has one of a kind for each assistant. */
export type CallCost =
  | TransportCost
  | TranscriberCost
  | ModelCost
  | VoiceCost
  | VapiCost
  | AnalysisCost
  | VoicemailDetectionCost
  | KnowledgeBaseCost

/** What a call cost, in US dollars, and the amounts that it comes from. */
export interface CostBreakdown {
  transport?: number
  stt?: number
  llm?: number
  tts?: number
  /** The platform's own fee. */
  vapi?: number
  chat?: number
  total?: number
  llmPromptTokens?: number
  llmCompletionTokens?: number
  ttsCharacters?: number
  analysisCostBreakdown?: AnalysisCostBreakdown
}

/** What the analysis after a call cost, in US dollars, and its tokens. */
export interface AnalysisCostBreakdown {
  summary?: number
  summaryPromptTokens?: number
  summaryCompletionTokens?: number
  structuredData?: number
  structuredDataPromptTokens?: number
  structuredDataCompletionTokens?: number
  successEvaluation?: number
  successEvaluationPromptTokens?: number
  successEvaluationCompletionTokens?: number
  [detail: string]: number | undefined
}
