import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** One client's connection, and its unfinished answers. */
export interface Connection {
  readonly socket: Socket
  /** Answers that have not been sent in full, each with a function to call when it is over, even if its turn never came. */
  readonly answers: Map<ServerResponse, () => void>
  /** It is a WebSocket now. */
  upgraded: boolean
}
