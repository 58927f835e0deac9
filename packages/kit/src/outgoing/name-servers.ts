import { Resolver } from 'node:dns/promises'
import type { Clock } from '../clock/clock.js'
import type { FoundAddress } from './guarded-lookup.js'

/** Longest wait for an answer before a name server is asked once more, in ms. */
const ASK_AGAIN_MS = 1_500
/** Longest that name servers may take, in ms. */
const ANSWER_MS = 4_000

export interface NameServers {
  /** Such as `127.0.0.1:5353`, instead of the system's. */
  servers?: readonly string[]
  clock: Pick<Clock, 'after'>
}

/** Asks without a thread. Empty where the name servers know no address. Rejects with `ETIMEOUT` where they do not answer within four seconds. */
export async function askNameServers(
  hostname: string,
  { servers, clock }: NameServers,
): Promise<FoundAddress[]> {
  // One for each lookup, because `cancel` ends all that a resolver has under way.
  const resolver = new Resolver({ timeout: ASK_AGAIN_MS, tries: 2 })
  if (servers) resolver.setServers(servers)
  const answered = clock.after(ANSWER_MS, () => resolver.cancel())
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  answered()
  const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
  if (found.length === 0 && (isOverdue(four) || isOverdue(six))) throw lookupFailure('ETIMEOUT', hostname)
  return found
}

export const lookupFailure = (code: string, hostname: string, cause?: unknown): NodeJS.ErrnoException =>
  Object.assign(new Error(`${hostname} could not be looked up (${code})`, { cause }), { code })

const addressesOf = (answer: PromiseSettledResult<string[]>, family: number): FoundAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []

const isOverdue = (answer: PromiseSettledResult<string[]>): boolean =>
  answer.status === 'rejected' && ['ETIMEOUT', 'ECANCELLED'].includes(answer.reason.code)
