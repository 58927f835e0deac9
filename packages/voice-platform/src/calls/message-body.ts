import type { Chat, CreateAssistant, ServerMessage } from '@heyline/platform-client'
import type { RecordingUrls } from '../recording/recording-url.js'
import type { CallRow } from './call-row.js'
import { callView, outlineOf, withRecording } from './call-view.js'
import { shown, withoutSecrets } from './without-secrets.js'

/** Most bytes of a message. A larger one leaves out how the assistant is set up, and then what was said. */
const MOST_MESSAGE_BYTES = 1_000_000

const isSmall = (body: string): boolean => Buffer.byteLength(body) <= MOST_MESSAGE_BYTES

interface MessageBodyOptions {
  /** Milliseconds since the epoch. */
  timestamp: number
  urls?: RecordingUrls | undefined
  /** Whether a body of so many bytes may wait. Where it may not, it leaves out the same as one that is too large. Always, where it is left out. */
  hasRoom?(bytes: number): boolean
}

/** The body of a server message about a call. It has no secrets. The smallest one may be larger than there is room for. */
export function messageBody(
  row: CallRow,
  message: ServerMessage,
  { timestamp, urls, hasRoom = () => true }: MessageBodyOptions,
): string {
  const fits = (body: string) => isSmall(body) && hasRoom(Buffer.byteLength(body))
  const shown = withoutSecrets(row)
  const { customer, assistant } = shown
  const whose = { timestamp, ...(customer !== null && { customer }) }
  const call = withRecording(callView(shown), row, urls)
  const whole = JSON.stringify({ message: { ...message, ...whose, call, assistant } })
  if (fits(whole)) return whole
  const spare = { ...message, ...whose, call: outlineOf(call) }
  const said = JSON.stringify({ message: spare })
  if (fits(said)) return said
  const { artifact: _, ...outline } = spare
  return JSON.stringify({ message: outline })
}

/** A conversation in writing that asks a server. */
export interface WritingRow {
  chat: Chat
  assistant: CreateAssistant
}

/** The body of a server message about a chat. It has no secrets. */
export function chatMessageBody(
  { chat, assistant }: WritingRow,
  message: ServerMessage,
  timestamp: number,
): string {
  const whole = JSON.stringify({ message: shown({ ...message, timestamp, chat, assistant }) })
  if (isSmall(whole)) return whole
  const { id, orgId, createdAt, updatedAt } = chat
  return JSON.stringify({
    message: { ...shown(message), timestamp, chat: { id, orgId, createdAt, updatedAt } },
  })
}
