import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** One client's connection, and what is under way on it. */
export interface Connection {
  readonly socket: Socket
  /** Answers that have not been sent whole, each with what to call when it is over, also where its turn never came. */
  readonly answers: Map<ServerResponse, () => void>
  /** It is a WebSocket now. */
  upgraded: boolean
  /** All its requests went to the admin door, which opens to the secret key only. They may take their time, as a person who pages through an export does. */
  admin: boolean
}
