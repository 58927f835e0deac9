import { connect, type Socket } from 'node:net'
import type { Clock } from '@heyline/kit/clock'
import { provePeer } from './handshake.js'
import { RelayError } from './relay-error.js'

/** How long another process may take to answer, in milliseconds. */
const ANSWER_MS = 3_000

/** Another process of the installation, and where it listens for this one: `HOST:PORT`. */
export interface Holder {
  process: string
  address: string
}

/** Connects with another process. The connection then speaks HTTP. Rejects with a `RelayError`. */
export async function reachProcess(
  { process, address }: Holder,
  { key, clock }: { key: Uint8Array; clock: Clock },
): Promise<Socket> {
  const socket = connect({ ...hostAndPort(address), noDelay: true, keepAlive: true })
  // Whoever uses it hears `close`.
  socket.on('error', () => undefined)
  let isLate = false
  const stop = clock.after(ANSWER_MS, () => {
    isLate = true
    socket.destroy()
  })
  try {
    await connected(socket)
    await provePeer(socket, process, key)
    return socket
  } catch (error) {
    socket.destroy()
    throw isLate ? new RelayError('silent', { cause: error }) : error
  } finally {
    stop()
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new RelayError(cause.code === 'ECONNREFUSED' ? 'refused' : 'unreachable', { cause })),
    )
    socket.once('close', () => reject(new RelayError('unreachable')))
  })
}

/** Reads `HOST:PORT`; an IPv6 address stands in brackets. */
function hostAndPort(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':')
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) }
}
