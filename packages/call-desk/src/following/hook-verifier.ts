import { createHmac } from 'node:crypto'
import { isSameSecret } from '@heyline/kit/secret'

/** How far a message's time may be from ours, in milliseconds. */
const TOLERANCE_MS = 300_000

/** Larger numbers are milliseconds since the epoch, others seconds. */
const MOST_SECONDS = 1e11

const TIMESTAMP_HEADERS = ['webhook-timestamp', 'x-timestamp']

/** One way to show that a message comes from the platform. */
interface Proof {
  /** The header that holds it. */
  header: string
  isRight(given: string, headers: Headers, body: Uint8Array): boolean
}

/** Whether one of these texts is one of those; all are compared, so that time does not tell which. */
function anySame(ones: readonly string[], others: readonly string[]): boolean {
  return ones.flatMap((one) => others.map((other) => isSameSecret(one, other))).includes(true)
}

/** The key of a Standard Webhooks secret: the Base64 behind `whsec_`, else the bytes of the secret itself. */
function standardKey(secret: string): Buffer {
  return secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret)
}

function isFresh(timestamp: string, now: number): boolean {
  if (!/^\d{1,16}$/.test(timestamp)) return false
  const value = Number(timestamp)
  return Math.abs(now - (value < MOST_SECONDS ? value * 1000 : value)) <= TOLERANCE_MS
}

/** The ways that are known, the strongest first. */
function proofsOf(secrets: readonly string[]): Proof[] {
  const keys = secrets.map(standardKey)
  const hex = (text: string, body: Uint8Array): string[] =>
    secrets.map((secret) => createHmac('sha256', secret).update(text).update(body).digest('hex'))
  return [
    {
      // https://www.standardwebhooks.com: a list of signatures, of which one must be right.
      header: 'webhook-signature',
      isRight(given, headers, body) {
        const id = headers.get('webhook-id')
        const timestamp = headers.get('webhook-timestamp')
        if (id === null || timestamp === null) return false
        const right = keys.map(
          (key) =>
            `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
        )
        return anySame(given.split(' '), right)
      },
    },
    {
      // What the hosted platform's HMAC plan sends where it names nothing else.
      header: 'x-signature',
      isRight(given, headers, body) {
        const timestamp = headers.get('x-timestamp')
        return timestamp !== null && anySame([given.toLowerCase()], hex(`${timestamp}.`, body))
      },
    },
    {
      header: 'x-vapi-signature',
      isRight: (given, _, body) => anySame([given.toLowerCase()], hex('', body)),
    },
    { header: 'x-vapi-secret', isRight: (given) => anySame([given], secrets) },
    {
      header: 'authorization',
      isRight: (given) => anySame([given.replace(/^bearer +/i, 'Bearer ')], secrets.map(bearer)),
    },
  ]
}

const bearer = (secret: string): string => `Bearer ${secret}`

/**
 * Tells whether a message comes from the platform: any of several secrets may have signed it. The strongest proof that it brings decides,
 * so a signature that is wrong is not made good by a secret that is right. A time that it brings, with whichever proof, must be within
 * five minutes of ours.
 */
export class HookVerifier {
  readonly #proofs: readonly Proof[]
  readonly #now: () => number

  /** @throws TypeError where there is no secret, or an empty one */
  constructor(secrets: readonly string[], now: () => number = Date.now) {
    if (secrets.length === 0 || secrets.some((secret) => standardKey(secret).length === 0))
      throw new TypeError('hookSecrets must not be empty')
    this.#proofs = proofsOf(secrets)
    this.#now = now
  }

  /** Whether there is anything to verify: without it the body need not be read. */
  hasProof(headers: Headers): boolean {
    return this.#proofs.some(({ header }) => headers.has(header))
  }

  /** `body`: the bytes as they came. */
  verify(headers: Headers, body: Uint8Array): boolean {
    const now = this.#now()
    for (const name of TIMESTAMP_HEADERS) {
      const timestamp = headers.get(name)
      if (timestamp !== null && !isFresh(timestamp, now)) return false
    }
    for (const { header, isRight } of this.#proofs) {
      const given = headers.get(header)
      if (given !== null) return isRight(given, headers, body)
    }
    return false
  }
}
