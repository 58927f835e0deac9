import type { AssistantStore } from '../assistants/assistant-store.js'
import { findCallAssistant } from '../calls/call-assistant.js'
import { ApiError } from '../resources/api-error.js'
import type { CreateChatBody } from './chat-request.js'
import type { ChatStart } from './chat-writing.js'
import type { Chats } from './chats.js'

const OTHERS = ['squadId', 'squad', 'squadOverrides', 'workflowId', 'workflow', 'workflowOverrides'] as const

/** What a request with the private key asks for. Who answers is, where it names nobody, who answered before. Rejects with an `ApiError`. */
export async function askedChat(
  body: CreateChatBody,
  assistants: AssistantStore,
  chats: Chats,
): Promise<Omit<ChatStart, 'isStreamed'>> {
  for (const name of OTHERS)
    if (body[name] !== undefined)
      throw ApiError.notServed(
        `Chats are answered by one assistant: ${name} is not served. Give assistantId or assistant.`,
      )
  const history = await chats.historyOf(body)
  const isNamed = body.assistantId !== undefined || body.assistant !== undefined
  const assistantId = isNamed ? body.assistantId : history.assistantId
  const assistant = isNamed ? body.assistant : history.assistantGiven
  if (assistantId === undefined && !assistant)
    throw new ApiError(400, "Couldn't start the chat: one of assistant and assistantId must be provided.")
  const inherited = isNamed || body.assistantOverrides ? undefined : history.overrides
  const chosen = await findCallAssistant(
    {
      ...{ assistantId, assistant, assistantVersion: body.assistantVersion },
      assistantOverrides: body.assistantOverrides ?? inherited,
    },
    assistants,
    { before: { assistant: history.assistantGiven, overrides: history.overrides } },
  )
  return {
    ...{ input: body.input, history, name: body.name, assistant: chosen.assistant },
    ...{
      assistantId: chosen.assistantId,
      assistantGiven: chosen.assistantGiven,
      overrides: chosen.overrides,
    },
    ...{ customer: history.customer, isCustomerOfMember: history.isCustomerOfMember ?? false },
    isInSession: body.sessionId !== undefined,
    ...(inherited && history.isPublic && { isPublic: true }),
  }
}
