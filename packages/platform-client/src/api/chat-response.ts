import type { CreateChat } from './chat.js'

/** Body of `chats.createResponse` and `chats.streamResponse`. `sessionId` and `previousChatId` exclude each other. */
export type CreateChatResponse = CreateChat

/** Text of an answer. */
export interface ChatResponseText {
  type: 'output_text'
  text: string
  annotations: Record<string, unknown>[]
}

/** One message of an answer. */
export interface ChatResponseMessage {
  type: 'message'
  id: string
  role: 'assistant'
  status: 'in_progress' | 'completed' | 'incomplete'
  content: ChatResponseText[]
}

/** The answer of a chat, in the form of OpenAI's Responses API. */
export interface ChatResponse {
  object: 'response'
  id: string
  /** Seconds since the epoch. */
  created_at: number
  status: 'completed' | 'failed' | 'in_progress' | 'incomplete'
  /** What went wrong; null or not there otherwise. */
  error?: string | null
  output: ChatResponseMessage[]
}

/** Where in the answer a text belongs; both indexes count from 0. */
interface ChatResponsePosition {
  item_id: string
  output_index: number
  content_index: number
}

/** A piece of a text, to be added to what came before. */
export interface ChatResponseTextDelta extends ChatResponsePosition {
  type: 'response.output_text.delta'
  delta: string
}

/** The whole of a text. */
export interface ChatResponseTextDone extends ChatResponsePosition {
  type: 'response.output_text.done'
  text: string
}

/** The whole answer; the last event of a stream that went well. */
export interface ChatResponseCompleted {
  type: 'response.completed'
  response: ChatResponse
}

/** The stream ends without an answer. */
export interface ChatResponseFailed {
  type: 'error'
  code: string
  message: string
  /** The field of the body that is to blame. */
  param?: string | null
  sequence_number: number
}

/** What `chats.streamResponse` and `chats.streamWebResponse` yield. */
export type ChatResponseEvent =
  | ChatResponseTextDelta
  | ChatResponseTextDone
  | ChatResponseCompleted
  | ChatResponseFailed
