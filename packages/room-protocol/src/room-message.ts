import type { FatalErrorKind } from './fatal-error.js'

/** The WebSocket subprotocol of the socket room. Without it a client gets the plain `vapi.websocket` transport. */
export const ROOM_PROTOCOL = 'room.v1'

/** How long a client that was lost may come back, in milliseconds, where the platform does not say. */
export const GRACE_MS = 15_000

/** Most characters of a `room.words`: what somebody says in one minute, twice. */
export const MAX_WORDS_CHARACTERS = 2_000

/** What the platform asks of a client that can recognise speech itself. */
export interface WordsWish {
  /** Language of the speech, as BCP 47 (`en-US`); the page's own where it is not said. */
  language?: string
}

/** Platform to client. Text frames whose `type` does not begin with `room.` are the platform's own messages. */
export type RoomServerMessage =
  /**
   * First frame after an accepted join. `resumeToken` replaces the spent secret, or token, when the client comes back;
   * it is good once, and for `graceMs` milliseconds after the connection is lost (`GRACE_MS` where it is not said).
   * With `words` the platform wants `room.words`; without, a client sends none.
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
  /** Everything sent before this mark is to be played; the client then answers `room.played` with the same id. */
  | { type: 'room.mark'; id: number }
  /** Drop all audio and marks not yet played; the client answers `room.cleared` with the same id. */
  | { type: 'room.clear'; id: number }
  /** The call ended for the given reason (the platform's `endedReason`); a close with code 1000 follows. */
  | { type: 'room.ended'; reason: string }
  /** A fatal error; a close with the code of its kind follows. */
  | { type: 'room.error'; kind: FatalErrorKind; message: string }

/** Client to platform. Text frames whose `type` does not begin with `room.` are messages for the assistant. */
export type RoomClientMessage =
  /** The assistant's audio can be heard (the literal `playable` of a Daily room). */
  | { type: 'room.playable' }
  /** Playback has reached the mark. */
  | { type: 'room.played'; id: number }
  /** A clear was carried out; `playedMs` of audio had been played since the last mark that was reached. */
  | { type: 'room.cleared'; id: number; playedMs: number }
  /**
   * What the client's own speech recognition has made out of the phrase that is being said, from its beginning. `isFinal` ends
   * the phrase. Without text: it listens (not final), or there are no more words to be expected (final).
   */
  | { type: 'room.words'; text: string; isFinal: boolean }
  /** The person hangs up; the platform closes with 1000. */
  | { type: 'room.leave' }

export type RoomMessage = RoomServerMessage | RoomClientMessage
