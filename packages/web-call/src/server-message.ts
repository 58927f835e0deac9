import type { ClientMessage } from '@heyline/platform-client'

/**
 * A message of the platform. Comparing `type` narrows it to the fields that the platform documents for it. Types that
 * are not in the list come as well, as they are: compare `String(message.type)` for one; its fields read as unknown.
 */
export type IncomingMessage = ClientMessage & Record<string, unknown>

/** The literal by which the assistant says that it listens: the call has begun. */
const LISTENING = 'listening'

/** Whether the data of a room's `app-message` is that literal. */
export const isListening = (data: unknown): boolean => data === LISTENING

/** Reads the data of a room's `app-message`: a message as JSON text or as an object; undefined for anything else. */
export function readServerMessage(data: unknown): IncomingMessage | undefined {
  try {
    const message: unknown = typeof data === 'string' ? JSON.parse(data) : data
    return isMessage(message) ? message : undefined
  } catch {
    return undefined
  }
}

const isMessage = (value: unknown): value is IncomingMessage =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

export const endedMessage = (endedReason: string): IncomingMessage => ({
  type: 'status-update',
  status: 'ended',
  endedReason,
})

export const isEnded = ({ type, status }: IncomingMessage): boolean =>
  type === 'status-update' && status === 'ended'
