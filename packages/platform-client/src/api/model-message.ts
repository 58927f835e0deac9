/** One message of a prompt or of a conversation, in the form that language models take. */
export interface ModelMessage {
  role: 'assistant' | 'function' | 'user' | 'system' | 'tool'
  /** At most 100,000,000 characters. */
  content: string | null
}
