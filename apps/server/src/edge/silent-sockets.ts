import type { Connection } from './connection.js'

/** How long a WebSocket may send nothing, not even a pong, in ms. Rooms and pocket phones are pinged every ten seconds. */
const MOST_SILENCE_MS = 90_000

/** Finds WebSockets whose clients send nothing, whichever code serves them. */
export class SilentSockets {
  readonly #heard = new WeakMap<Connection, { bytes: number; silentMs: number }>()

  /** Looks at the connections, so many ms after the last look. Returns those to cut. */
  look(connections: Iterable<Connection>, sinceMs: number): Connection[] {
    return [...connections].filter((connection) => {
      if (!connection.upgraded) return false
      const bytes = connection.socket.bytesRead
      const before = this.#heard.get(connection)
      const silentMs = before?.bytes === bytes ? before.silentMs + sinceMs : 0
      this.#heard.set(connection, { bytes, silentMs })
      return silentMs >= MOST_SILENCE_MS
    })
  }
}
