/** A challenge of ALTCHA's, version 2, as a Heyline sets it. */
export interface Challenge {
  parameters: {
    algorithm: string
    nonce: string
    salt: string
    cost: number
    keyLength?: number
    keyPrefix: string
  }
}

/** What solves it: the first counter whose key begins with the prefix. */
export interface Solution {
  counter: number
  derivedKey: string
}

/** Keys that are derived at the same time. The browser does so on threads of its own, so that the page stays free. */
const AT_ONCE = 4
const HASHES = /^PBKDF2\/(SHA-(?:256|384|512))$/

/**
 * Solves a challenge without a worker, which no page may start from another origin. Rejects at the end of `signal`, and
 * where the challenge asks for what browsers do not have.
 */
export async function solveChallenge({ parameters }: Challenge, signal: AbortSignal): Promise<Solution> {
  const { algorithm, nonce, salt, cost, keyLength = 32, keyPrefix } = parameters
  const [, hash] = HASHES.exec(algorithm) ?? []
  if (!hash || !keyPrefix) throw new Error(`This browser call cannot solve a challenge of ${algorithm}.`)
  const prefix = keyPrefix.toLowerCase()
  const start = bytesOf(nonce)
  const derive = async (counter: number): Promise<string> => {
    const password = new Uint8Array(start.length + 4)
    password.set(start)
    new DataView(password.buffer).setUint32(start.length, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const how = { name: 'PBKDF2', salt: bytesOf(salt), iterations: cost, hash }
    return hexOf(await crypto.subtle.deriveBits(how, key, keyLength * 8))
  }
  for (let first = 0; ; first += AT_ONCE) {
    signal.throwIfAborted()
    const keys = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => derive(first + index)))
    const found = keys.findIndex((key) => key.startsWith(prefix))
    const derivedKey = keys[found]
    if (derivedKey !== undefined) return { counter: first + found, derivedKey }
  }
}

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const hexOf = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
