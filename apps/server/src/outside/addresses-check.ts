import { type Finding, fail, ok, warn } from '../doctor/finding.js'
import type { SeenRequest } from '../mirror/seen-request.js'
import { proxyAdvice } from './proxies.js'

const CHECK = 'client addresses'

/** An address for documentation (RFC 5737), which nobody has. */
export const INVENTED = '203.0.113.77'

export interface AddressesSeen {
  /** What the server saw of a request as it was sent. */
  plain: SeenRequest
  /** And of one with `INVENTED` in its `X-Forwarded-For`. */
  forged: SeenRequest
  /** Of the answer: they may name the proxy. */
  headers: Headers
  /** The public address is https, which only a proxy speaks. */
  isTls: boolean
}

/** Whether the server tells visitors apart by their addresses, and nobody can make one up. */
export function checkAddresses({ plain, forged, headers, isTls }: AddressesSeen): Finding {
  const { address, trustProxy, forwardedFor } = plain
  const told = forwardedFor.length
  const write = proxyAdvice('forwardedFor', headers)
  const proxies = trustProxy ?? 0
  if (forged.address === INVENTED)
    return told === 0
      ? fail(
          CHECK,
          'the proxy passes X-Forwarded-For on as it comes: anybody makes up as many addresses as he likes, and no limit holds',
          `have it write the header itself (${write})`,
        )
      : fail(
          CHECK,
          `TRUST_PROXY=${proxies} believes an invented X-Forwarded-For: anybody makes up as many addresses as he likes, and no limit holds`,
          `set TRUST_PROXY=${told}: so many proxies write the header`,
        )
  if (proxies === 0) {
    if (!isTls && !plain.isProxied) return ok(CHECK, `the server sees ${address}, and no proxy`)
    return warn(
      CHECK,
      `TRUST_PROXY is ${trustProxy === null ? 'not set' : '0'}: all visitors seem to have the address of the proxy (${address}), and share one limit`,
      told > 0
        ? `set TRUST_PROXY=${told}`
        : `set TRUST_PROXY=1, and have the proxy write X-Forwarded-For (${write})`,
    )
  }
  if (told === 0)
    return warn(
      CHECK,
      `the proxy writes no X-Forwarded-For: all visitors seem to have its address (${address}), and share one limit`,
      `have it write the header (${write})`,
    )
  if (told > proxies)
    return warn(
      CHECK,
      `${told} addresses stand in X-Forwarded-For, and TRUST_PROXY=${proxies} takes that of a proxy further out (${address}): its visitors share one limit`,
      `set TRUST_PROXY=${told} if all of them are yours`,
    )
  return ok(CHECK, `the server sees ${address}, also with an invented X-Forwarded-For`)
}
