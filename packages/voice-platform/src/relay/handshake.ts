import { createHmac, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { isSameSecret } from '@heyline/kit/secret'
import { RelayError } from './relay-error.js'

/**
 * How two processes of one installation prove to each other that they have the same key. Three lines of text, and then HTTP:
 *
 *     holder  heyline-relay/1 {process} {nonce}
 *     peer    {process} {nonce} {proof}
 *     holder  ok {proof}
 *
 * A proof is HMAC-SHA-256 over both nonces, the process that is asked, and whose proof it is. So none can be used twice, or by the other side.
 */
const PROTOCOL = 'heyline-relay/1'

/** Longest line, in bytes. */
const MOST_LINE_BYTES = 300

/** Proves itself to the process at the other end of this connection. Rejects with a `RelayError`; the socket is then of no use. */
export async function provePeer(socket: Socket, process: string, key: Uint8Array): Promise<void> {
  const [protocol, found, theirs = ''] = (await readLine(socket)).split(' ')
  if (protocol !== PROTOCOL || found !== process) throw new RelayError('refused')
  const nonce = newNonce()
  const both = [process, theirs, nonce]
  socket.write(`${process} ${nonce} ${proofOf(key, 'peer', both)}\n`)
  const [word, proof = ''] = (await readLine(socket).catch(wrongKey)).split(' ')
  if (word !== 'ok' || !isSameSecret(proof, proofOf(key, 'holder', both))) throw new RelayError('keys')
}

/** Lets a peer prove itself. Rejects with a `RelayError`. The last line is written by whoever calls `welcome`: nothing of the peer comes before. */
export async function checkPeer(
  socket: Socket,
  process: string,
  key: Uint8Array,
): Promise<{ welcome(): void }> {
  const nonce = newNonce()
  socket.write(`${PROTOCOL} ${process} ${nonce}\n`)
  const [wanted, theirs = '', proof = ''] = (await readLine(socket)).split(' ')
  const both = [process, nonce, theirs]
  if (wanted !== process || !isSameSecret(proof, proofOf(key, 'peer', both))) throw new RelayError('keys')
  return { welcome: () => void socket.write(`ok ${proofOf(key, 'holder', both)}\n`) }
}

const newNonce = () => randomBytes(24).toString('base64url')

const proofOf = (key: Uint8Array, whose: 'peer' | 'holder', both: readonly string[]): string =>
  createHmac('sha256', key)
    .update([PROTOCOL, whose, ...both].join('\n'))
    .digest('base64url')

/** A process that hangs up on a proof does not know our key. */
function wrongKey(cause: unknown): never {
  throw new RelayError('keys', { cause })
}

/** The next line, without its end. Nothing may come behind it. */
function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0)
    const stop = () => {
      socket.off('data', onData).off('end', onEnd).off('error', onEnd).off('close', onEnd)
    }
    const onEnd = (cause?: unknown) => {
      stop()
      reject(new RelayError('unreachable', { cause }))
    }
    const onData = (data: Buffer) => {
      read = Buffer.concat([read, data])
      const end = read.indexOf('\n')
      if (end < 0 && read.length <= MOST_LINE_BYTES) return
      stop()
      if (end === read.length - 1) resolve(read.toString('latin1', 0, end))
      else reject(new RelayError('refused'))
    }
    socket.on('data', onData).on('end', onEnd).on('error', onEnd).on('close', onEnd)
  })
}
