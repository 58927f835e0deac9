import { connect, type Socket } from 'node:net'
import { EngineError } from '../engine.js'
import { type EngineHosts, engineHosts } from '../engine-hosts.js'
import { type WyomingEvent, WyomingReader } from './wyoming-event.js'

const SILENCE_MS = 10_000
const DEFAULT_PORT = 10_300
/** Most bytes of one answer, where nothing else is said: two minutes of 24 kHz speech. */
const MOST_BYTES = 6_000_000

export interface WyomingOptions {
  /** `tcp://127.0.0.1:10300` */
  url: string
  /** The model (transcriber), or the voice. */
  name?: string | undefined
  silenceMs?: number | undefined
  /** Instead of the process's. */
  hosts?: Pick<EngineHosts, 'lookup'>
}

/** One question to a Wyoming server, on a connection of its own: what is sent, and the events that come back. */
export async function* wyomingExchange(
  engine: string,
  { url, silenceMs = SILENCE_MS, hosts = engineHosts }: WyomingOptions,
  signal: AbortSignal,
  send: (socket: Socket) => void,
  most = MOST_BYTES,
): AsyncGenerator<WyomingEvent> {
  signal.throwIfAborted()
  const { hostname, port } = new URL(url)
  const socket = connect({
    port: Number(port) || DEFAULT_PORT,
    host: hostname.replace(/^\[|\]$/g, ''),
    lookup: hosts.lookup,
  })
  const reader = new WyomingReader()
  let isSilent = false
  let bytes = 0
  socket.setNoDelay(true)
  socket.setTimeout(silenceMs, () => {
    isSilent = true
    socket.destroy()
  })
  const abort = () => socket.destroy()
  signal.addEventListener('abort', abort, { once: true })
  try {
    send(socket)
    for await (const piece of socket) {
      bytes += piece.length
      if (bytes > most) throw new EngineError(engine, `the answer is longer than ${most} bytes`)
      yield* reader.read(piece)
    }
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof EngineError) throw cause
    if (isSilent) throw new EngineError(engine, `the server was silent for ${silenceMs} ms`)
    const message =
      cause instanceof RangeError
        ? 'the server speaks another protocol; check its URL'
        : 'the server could not be reached or broke off; check its URL'
    throw new EngineError(engine, message, { cause })
  } finally {
    signal.removeEventListener('abort', abort)
    socket.destroy()
  }
  signal.throwIfAborted()
  if (isSilent) throw new EngineError(engine, `the server was silent for ${silenceMs} ms`)
}
