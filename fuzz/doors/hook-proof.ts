import { createHmac } from 'node:crypto'
import type { Random } from '../../packages/backend/src/testing/fuzz/random.js'

type Headers = [name: string, value: string][]

/** How a message shows that it comes from the platform, or does not. */
export interface HookProof {
  isRight: boolean
  /** For this body, as it goes out. */
  headers(secret: string, body: string | Uint8Array): Headers
}

interface Signed {
  secret: string
  body: string | Uint8Array
  /** Seconds since the epoch. */
  timestamp: number
}

/** The secret itself. */
const PLAIN: readonly ((secret: string) => Headers)[] = [
  (secret) => [['x-vapi-secret', secret]],
  (secret) => [['authorization', `Bearer ${secret}`]],
]

const SIGNATURES: readonly { isTimed: boolean; headers(signed: Signed): Headers }[] = [
  {
    isTimed: true,
    headers({ secret, body, timestamp }) {
      const signature = createHmac('sha256', secret)
        .update(`fuzz.${timestamp}.`)
        .update(body)
        .digest('base64')
      return [
        ['webhook-id', 'fuzz'],
        ['webhook-timestamp', String(timestamp)],
        ['webhook-signature', `v1,${signature}`],
      ]
    },
  },
  {
    isTimed: true,
    headers: ({ secret, body, timestamp }) => [
      ['x-timestamp', String(timestamp)],
      ['x-signature', createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')],
    ],
  },
  {
    isTimed: false,
    headers: ({ secret, body }) => [
      ['x-vapi-signature', createHmac('sha256', secret).update(body).digest('hex')],
    ],
  },
]

const RIGHT_SHARE = 0.7

/** A secret that is right or is not. */
export function plainProof(random: Random): HookProof {
  const isRight = random.chance(RIGHT_SHARE)
  const headers = random.pick(PLAIN)
  return { isRight, headers: (secret) => headers(isRight ? secret : `${secret}x`) }
}

/** A signature that is right, or made with another secret, for another body, or an hour ago. */
export function signedProof(random: Random): HookProof {
  const isRight = random.chance(RIGHT_SHARE)
  const { isTimed, headers } = random.pick(SIGNATURES)
  const wrong = random.pick(isTimed ? (['secret', 'body', 'time'] as const) : (['secret', 'body'] as const))
  return {
    isRight,
    headers(secret, body) {
      const timestamp = Math.floor(Date.now() / 1000)
      const right: Signed = { secret, body, timestamp }
      if (isRight) return headers(right)
      if (wrong === 'secret') return headers({ ...right, secret: `${secret}x` })
      if (wrong === 'body') return headers({ ...right, body: `${body} ` })
      return headers({ ...right, timestamp: timestamp - 3_600 })
    },
  }
}
