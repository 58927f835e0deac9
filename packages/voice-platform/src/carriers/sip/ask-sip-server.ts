import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { namesNumber } from './sip-address.js'
import { SipAgent } from './sip-agent.js'
import { sendOptions } from './sip-question.js'
import { findRoute, type SipWay } from './sip-route.js'
import { parseUri } from './sip-uri.js'

export interface SipQuestion extends SipWay {
  /** An IP address of this machine. */
  host: string
  /** Longest wait for an answer, in milliseconds. */
  timeoutMs: number
  clock: Clock
  logger: Logger
}

/** Stands where an address needs a number and nobody is called. */
const NOBODY = '+12025550100'

/**
 * Asks the phone, or where each number has its own the server, what it can do (OPTIONS). Nobody is rung. Resolves with the status of
 * the answer, undefined when none comes in time. Rejects with a `CarrierRefusal` where there is no way to it.
 */
export async function askSipServer({
  host,
  timeoutMs,
  clock,
  logger,
  ...way
}: SipQuestion): Promise<number | undefined> {
  const agent = new SipAgent({ host, port: 0, clock, logger })
  try {
    const route = await findRoute(agent, way, { to: NOBODY, from: NOBODY })
    const uri = namesNumber(way.to) ? withoutUser(route.uri) : route.uri
    const answer = sendOptions(agent, { ...route, uri })
    return await Promise.race([answer, silence(clock, timeoutMs)])
  } finally {
    await agent.close()
  }
}

function withoutUser(uri: string): string {
  const { hostText, port } = parseUri(uri) ?? {}
  return `sip:${hostText}${port === undefined ? '' : `:${port}`}`
}

const silence = (clock: Clock, milliseconds: number): Promise<undefined> =>
  new Promise((resolve) => clock.after(milliseconds, () => resolve(undefined)))
