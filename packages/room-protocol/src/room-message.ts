import type { FatalErrorKind } from './fatal-error.js'

/** The WebSocket subprotocol of the socket room. A client without it gets the plain `vapi.websocket` transport. */
export const ROOM_PROTOCOL = 'room.v1'

/** How long a client that was lost may come back by default, in milliseconds. */
export const GRACE_MS = 15_000

/** Most characters of a `room.words`: twice what somebody says in a minute. */
export const MAX_WORDS_CHARACTERS = 2_000

/** What the platform asks of a client that can recognise speech. */
export interface WordsWish {
  /** Language of the speech, as BCP 47 (`en-US`). The page's own by default. */
  language?: string
}

/** Platform to client. Text frames whose `type` does not begin with `room.` are the platform's own messages. */
export type RoomServerMessage =
  /**
   * First frame after an accepted join. The client comes back with `resumeToken`. It is good once, and for `graceMs` milliseconds after
   * the connection is lost (`GRACE_MS` by default). The client sends `room.words` only where `words` asks for them.
   */
  | {
      type: 'room.joined'
      callId: string
      participantId: string
      resumeToken: string
      graceMs?: number
      words?: WordsWish
    }
  /** The assistant listens: the call has started (the literal `listening` of a Daily room). */
  | { type: 'room.listening' }
  /** The client answers `room.played` with this id when it has played everything before the mark. */
  | { type: 'room.mark'; id: number }
  /** The client drops all audio and marks not yet played, and answers `room.cleared` with this id. */
  | { type: 'room.clear'; id: number }
  /** The call ended with this reason (the platform's `endedReason`). A close with code 1000 follows. */
  | { type: 'room.ended'; reason: string }
  /** A fatal error. A close with the code of its kind follows. */
  | { type: 'room.error'; kind: FatalErrorKind; message: string }

/** Client to platform. Text frames whose `type` does not begin with `room.` are messages for the assistant. */
export type RoomClientMessage =
  /** The assistant's audio can be heard (the literal `playable` of a Daily room). */
  | { type: 'room.playable' }
  /** Playback has reached the mark. */
  | { type: 'room.played'; id: number }
  /** The client has cleared. It had played `playedMs` of audio since the last mark that was reached. */
  | { type: 'room.cleared'; id: number; playedMs: number }
  /**
   * The current phrase from its beginning, as the client's own speech recognition hears it. `isFinal` ends the phrase. Without text: the
   * recognition listens (not final), or no more words will come (final).
   */
  | { type: 'room.words'; text: string; isFinal: boolean }
  /** The person presses a key of a telephone: one of 0-9, *, #, A-D. */
  | { type: 'room.key'; key: string }
  /** The person hangs up. The platform closes with 1000. */
  | { type: 'room.leave' }

export type RoomMessage = RoomServerMessage | RoomClientMessage
