import {
  parseServerText,
  ROOM_PROTOCOL,
  type RoomClientMessage,
  type RoomServerMessage,
  type RoomText,
  roomText,
} from '@heyline/room-protocol'

/** What is spoken on the WebSocket of a room. */
export interface Transport {
  /** The subprotocol to agree on. */
  readonly protocol?: string
  read(text: string): RoomText<RoomServerMessage>
  /** The text of a message; undefined where the transport has no word for it. */
  write(message: RoomClientMessage): string | undefined
}

/** The room of the built-in platform, and the platform's plain transport. */
export type TransportName = 'room.v1' | 'vapi.websocket'

export const TRANSPORTS: Record<TransportName, Transport> = {
  'room.v1': { protocol: ROOM_PROTOCOL, read: parseServerText, write: roomText },
  'vapi.websocket': {
    read(text) {
      const read = parseServerText(text)
      // No room was agreed on: a type that begins like one of the room's is the platform's own.
      return read.kind === 'room' ? { kind: 'app', message: { ...read.message } } : read
    },
    write: ({ type }) => (type === 'room.leave' ? '{"type":"hangup"}' : undefined),
  },
}

/**
 * Which transport an address asks for: `room.v1` under `/-/rooms/`, else the plain one. It cannot be found out by trying: a
 * browser fails a connection that offers a subprotocol when the server agrees on none (the WebSocket standard, "establish
 * a WebSocket connection"), and by then the server has let somebody in who is gone at once, which ends the call.
 */
export const transportOf = (url: string): TransportName =>
  /^[^?#]*\/-\/rooms\//.test(url) ? 'room.v1' : 'vapi.websocket'
