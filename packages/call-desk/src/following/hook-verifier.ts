import { createHmac } from 'node:crypto'
import { isAnySecret } from '@heyline/kit/secret'

/** How far a message's time may be from ours, in milliseconds. */
const TOLERANCE_MS = 300_000

/** Larger numbers are milliseconds since the epoch, others seconds. */
const MOST_SECONDS = 1e11

const TIMESTAMP_HEADERS = ['webhook-timestamp', 'x-timestamp']

/** Signatures of one message that are looked at: a sender that changes its secret sends two. */
const MOST_SIGNATURES = 8
const STANDARD = /^v1,[A-Za-z0-9+/]{43}=$/
const HEX = /^[\da-f]{64}$/i

/** One way to show that a message comes from the platform. */
interface Proof {
  /** The header that holds it. */
  header: string
  /** Whether it can be right, found without the body. */
  mayBeRight(given: string, headers: Headers): boolean
  /** Whether it is; left out where no body is needed to say so. */
  isRight?(given: string, headers: Headers, body: Uint8Array): boolean
}

/** The signatures in a list of Standard Webhooks. Others that it may hold are not ours to verify. */
const signaturesIn = (given: string): string[] =>
  given.split(' ', MOST_SIGNATURES).filter((text) => STANDARD.test(text))

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
      mayBeRight: (given, headers) =>
        headers.has('webhook-id') && headers.has('webhook-timestamp') && signaturesIn(given).length > 0,
      isRight(given, headers, body) {
        const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.`
        const right = keys.map(
          (key) => `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`,
        )
        return isAnySecret(signaturesIn(given), right)
      },
    },
    {
      // What the hosted platform's HMAC plan sends where it names nothing else.
      header: 'x-signature',
      mayBeRight: (given, headers) => headers.has('x-timestamp') && HEX.test(given),
      isRight: (given, headers, body) =>
        isAnySecret([given.toLowerCase()], hex(`${headers.get('x-timestamp')}.`, body)),
    },
    {
      header: 'x-vapi-signature',
      mayBeRight: (given) => HEX.test(given),
      isRight: (given, _, body) => isAnySecret([given.toLowerCase()], hex('', body)),
    },
    { header: 'x-vapi-secret', mayBeRight: (given) => isAnySecret([given], secrets) },
    {
      header: 'authorization',
      mayBeRight: (given) => isAnySecret([given.replace(/^bearer +/i, 'Bearer ')], secrets.map(bearer)),
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

  /** Whether the proof can be right, so that the body is worth reading. */
  hasProof(headers: Headers): boolean {
    const now = this.#now()
    for (const name of TIMESTAMP_HEADERS) {
      const timestamp = headers.get(name)
      if (timestamp !== null && !isFresh(timestamp, now)) return false
    }
    const [given, proof] = this.#strongest(headers) ?? []
    return given !== undefined && proof?.mayBeRight(given, headers) === true
  }

  /** `body`: the bytes as they came. */
  verify(headers: Headers, body: Uint8Array): boolean {
    if (!this.hasProof(headers)) return false
    const [given, proof] = this.#strongest(headers) ?? []
    return given !== undefined && (proof?.isRight?.(given, headers, body) ?? true)
  }

  #strongest(headers: Headers): [given: string, proof: Proof] | undefined {
    for (const proof of this.#proofs) {
      const given = headers.get(proof.header)
      if (given !== null) return [given, proof]
    }
    return undefined
  }
}
