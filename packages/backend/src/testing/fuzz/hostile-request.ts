import type { WireRequest } from '../wire.js'
import { type Asker, validRequest } from './grammar.js'
import { mutated } from './mutation.js'
import { Random } from './random.js'

export interface HostileRequest {
  request: WireRequest
  asker: Asker
  /** Whether it was left as a well-behaved client writes it. */
  valid: boolean
}

export interface Keys {
  publishable: string
  secret: string
}

const VALID_SHARE = 0.4

/** Request number `index` of a seed: the same one always. */
export function hostileRequest(seed: number, index: number, asker: Asker, keys: Keys): HostileRequest {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const wanted = validRequest(random, asker)
  const valid = random.chance(VALID_SHARE)
  const { method, path, headers, body } = valid ? wanted : mutated(wanted, random)
  const key = asker === 'public' ? keys.publishable : keys.secret
  const identified: [string, string][] = !valid && random.chance(0.02) ? [] : [['apikey', key]]
  const bodiless = method === 'GET' || method === 'HEAD'
  return {
    asker,
    valid,
    request: {
      method,
      path: sendable(path),
      headers: [...identified, ...headers],
      ...(body !== undefined && !bodiless && { body }),
    },
  }
}

/** What an HTTP client can write in its first line; everything else comes encoded. */
function sendable(path: string): string {
  const whole = path.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\xff]/gu, encodeURIComponent)
  return whole.startsWith('/') ? whole : `/${whole}`
}
