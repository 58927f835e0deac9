import { WebSocket } from 'ws'

/** Why `ws` itself closes a connection: it gives a code, and no words. */
const REASONS: Readonly<Record<number, string>> = {
  1002: 'not a WebSocket frame',
  1007: 'text that is not UTF-8',
  1009: 'frame too long',
}

/** The server's end of a WebSocket, of which every close that has a code says why, also one for a frame that cannot be read. */
export class ExplainedSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? (code === undefined ? undefined : REASONS[code]))
  }
}
