import type {
  AssistantOverrides,
  Chat,
  ChatInput,
  ChatMessage,
  CreateAssistant,
  ModelCost,
} from '@heyline/platform-client'
import { withoutToolSecrets } from '../assistants/tool-secrets.js'

/** A row of `voice_platform.chats` with the installation's org id. */
export interface ChatRow {
  id: string
  org_id: string
  name: string | null
  assistant_id: string | null
  assistant_given: CreateAssistant | null
  overrides: AssistantOverrides | null
  session_id: string | null
  previous_chat_id: string | null
  is_streamed: boolean
  /** A page has chosen the values of its placeholders. */
  is_public?: boolean
  input: ChatInput
  messages: ChatMessage[]
  output: ChatMessage[]
  costs: ModelCost[] | null
  created_at: Date
  updated_at: Date
}

export const CHAT_COLUMNS = `id, (select org_id from voice_platform.settings) as org_id, name, assistant_id, assistant_given, overrides,
  session_id, previous_chat_id, is_streamed, is_public, input, messages, output, costs, created_at, updated_at`

/** A chat as the API shows it. No secret of its tools is in it. */
export function chatView(row: ChatRow): Chat {
  const { name, assistant_id, assistant_given, overrides, session_id, previous_chat_id, costs } = row
  return {
    id: row.id,
    orgId: row.org_id,
    ...(name !== null && { name }),
    ...(assistant_id !== null && { assistantId: assistant_id }),
    ...(assistant_given && { assistant: withoutToolSecrets(assistant_given) }),
    ...(overrides && { assistantOverrides: withoutToolSecrets(overrides) }),
    ...(session_id !== null && { sessionId: session_id }),
    // A chat that goes on from another one has no session.
    ...(previous_chat_id !== null && session_id === null && { previousChatId: previous_chat_id }),
    stream: row.is_streamed,
    input: row.input,
    messages: row.messages,
    output: row.output,
    ...(costs && { costs, cost: costs.reduce((sum, { cost }) => sum + cost, 0) }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  } as Chat
}
