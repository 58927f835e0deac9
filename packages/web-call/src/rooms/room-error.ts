import type { FatalErrorKind } from '@heyline/room-protocol'

/** What each fatal error means, where the room itself gives no text (spec 8: the ten kinds). */
const TEXTS: Record<FatalErrorKind, string> = {
  'connection-error': 'The connection to the room failed or was lost. Check the network and start again.',
  ejected: 'The room has put this participant out.',
  'end-of-life': 'This version of the room is no longer served. Update the package.',
  'exp-room': 'The room has expired. Start a new call.',
  'exp-token': 'The token for the room has expired. Start a new call.',
  'nbf-room': 'The room is not open yet. Try again later.',
  'nbf-token': 'The token for the room is not valid yet. Try again later.',
  'meeting-full': 'The room is full.',
  'not-allowed': 'The room does not admit this participant.',
  'no-room': 'There is no such room. Start a new call.',
}

/** A room that cannot be entered, or is lost. */
export class RoomError extends Error {
  override readonly name = 'RoomError'
  readonly code: FatalErrorKind

  constructor(code: FatalErrorKind, message?: string, options?: ErrorOptions) {
    super(message || TEXTS[code], options)
    this.code = code
  }
}
