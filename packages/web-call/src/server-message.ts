import type { AppMessage } from '@heyline/room-protocol'

/** The literal by which the assistant says that it listens: the call has begun. */
const LISTENING = 'listening'

export type ServerText =
  | { kind: 'listening' }
  | { kind: 'message'; message: AppMessage }
  | { kind: 'unreadable'; reason: string }

/** Reads the data of a room's `app-message`: the literal, or a message as JSON text or as an object. Never throws. */
export function readServerMessage(data: unknown): ServerText {
  if (data === LISTENING) return { kind: 'listening' }
  try {
    const message: unknown = typeof data === 'string' ? JSON.parse(data) : data
    if (isMessage(message)) return { kind: 'message', message }
    return { kind: 'unreadable', reason: 'it is no object with a type' }
  } catch {
    return { kind: 'unreadable', reason: 'it is no JSON' }
  }
}

const isMessage = (value: unknown): value is AppMessage =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

export const endedMessage = (endedReason: string): AppMessage => ({
  type: 'status-update',
  status: 'ended',
  endedReason,
})

export const isEnded = ({ type, status }: AppMessage): boolean =>
  type === 'status-update' && status === 'ended'
