import type { Socket } from 'node:net'
import type { Connection } from './connection.js'
import { isOfficeRequest } from './office-path.js'

/** How long a client may read nothing of what waits for it, in ms. */
const PATIENCE_MS = 20_000
/** How fast it has to read on average while something waits, in bytes a second. Reading restores our patience at this pace. */
const LEAST_RATE = 4_000
/** Most that may wait for one client that reads nothing, in bytes, and for how long, in ms. A room's longest lag is as large. */
const MOST_OF_ONE = 8_000_000
const MOST_OF_ONE_MS = 2_000
/** Most that may wait for all clients, in bytes. Beyond it, clients that read nothing are cut, beginning with those that hold up most. */
const MOST_OF_ALL = 64_000_000
/** Beyond this, clients that read are cut as well. */
const MOST_OF_ANY = 4 * MOST_OF_ALL

interface Reader {
  connection: Connection
  /** Bytes that the system has accepted from us since the connection began. */
  taken: number
  /** Bytes that it has not yet accepted. */
  waiting: number
  patienceMs: number
  /** How long nothing was read, in ms. */
  stillMs: number
}

/**
 * Finds clients that do not read what they asked for: an answer stays in our memory until it is read. The code behind a WebSocket bounds
 * what waits for it, so a WebSocket is cut here only if too much waits for all clients together.
 */
export class UnreadAnswers {
  readonly #readers = new Map<Connection, Reader>()

  /** Looks at the connections, so many ms after the last look. Returns those to cut. */
  look(connections: Iterable<Connection>, elapsedMs: number): Connection[] {
    const before = new Map(this.#readers)
    this.#readers.clear()
    const cut = new Set<Connection>()
    for (const connection of connections) {
      const waiting = waitingFor(connection)
      if (waiting === 0) continue
      const reader = readerAfter(before.get(connection), { connection, waiting, elapsedMs })
      this.#readers.set(connection, reader)
      if (isStalled(reader) && !connection.upgraded && !waitsForOffice(connection)) cut.add(connection)
    }
    const left = [...this.#readers.values()].filter(({ connection }) => !cut.has(connection))
    for (const { connection } of tooMuch(left)) cut.add(connection)
    return [...cut]
  }
}

function readerAfter(
  before: Reader | undefined,
  { connection, waiting, elapsedMs }: { connection: Connection; waiting: number; elapsedMs: number },
): Reader {
  const taken = takenFrom(connection.socket)
  const reader = { connection, taken, waiting, patienceMs: PATIENCE_MS, stillMs: 0 }
  if (!before) return reader
  const more = taken - before.taken
  const patienceMs = before.patienceMs - elapsedMs + (more / LEAST_RATE) * 1_000
  return {
    ...reader,
    patienceMs: Math.min(PATIENCE_MS, patienceMs),
    stillMs: more > 0 ? 0 : before.stillMs + elapsedMs,
  }
}

/** Whether all that is on its way to a client are answers of the operator API. */
const waitsForOffice = ({ answers }: Connection): boolean =>
  answers.size > 0 && [...answers.keys()].every(({ req }) => isOfficeRequest(req))

const isStalled = ({ waiting, patienceMs, stillMs }: Reader): boolean =>
  patienceMs <= 0 || (waiting > MOST_OF_ONE && stillMs >= MOST_OF_ONE_MS)

/** The clients to cut so that what waits for the others stays within the limits. */
function tooMuch(readers: Reader[]): Reader[] {
  let all = readers.reduce((sum, { waiting }) => sum + waiting, 0)
  const gone: Reader[] = []
  const takesNothing = ({ stillMs }: Reader) => stillMs > 0
  for (const [most, mayGo] of [
    [MOST_OF_ALL, takesNothing],
    [MOST_OF_ANY, () => true],
  ] as const) {
    const candidates = readers.filter((reader) => !gone.includes(reader) && mayGo(reader))
    for (const reader of candidates.sort((a, b) => b.waiting - a.waiting)) {
      if (all <= most) break
      gone.push(reader)
      all -= reader.waiting
    }
  }
  return gone
}

/** Bytes that wait for a client: in its socket, and in later answers to pipelined requests. */
function waitingFor({ socket, answers }: Connection): number {
  let waiting = socket.writableLength
  for (const answer of answers.keys()) waiting += answer.writableLength - (answer.socket?.writableLength ?? 0)
  return waiting
}

/**
 * Bytes that the system has accepted. A socket counts a chunk only when all of it is gone. Its handle knows how much of a large chunk is
 * left; `net` asks it too, for its own timeouts.
 */
function takenFrom(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  const written = numberOf(handle, 'bytesWritten')
  const queued = numberOf(handle, 'writeQueueSize')
  return written === undefined || queued === undefined
    ? socket.bytesWritten - socket.writableLength
    : written - queued
}

function numberOf(handle: unknown, name: string): number | undefined {
  if (typeof handle !== 'object' || handle === null) return undefined
  const value: unknown = Reflect.get(handle, name)
  return typeof value === 'number' ? value : undefined
}
