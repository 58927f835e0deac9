import { type Clock, systemClock } from '@heyline/kit/clock'
import { type Finding, ok, warn } from '../doctor/finding.js'
import { type MirrorClient, reasonOf } from './mirror-client.js'
import { proxyAdvice } from './proxies.js'

const CHECK = 'event streams'
/** Longest that the whole stream may take, in ms. */
const PATIENCE_MS = 10_000
/** The last event comes three seconds after the first. Where both come within this, in ms, something has held the first back. */
const TOGETHER_MS = 500

/** Whether events come as they are sent, or a proxy keeps them back until there are many. */
export async function checkStream(
  mirror: Pick<MirrorClient, 'stream'>,
  headers: Headers | undefined,
  clock: Pick<Clock, 'monotonic'> = systemClock,
): Promise<Finding> {
  const began = clock.monotonic()
  const leaving = new AbortController()
  const late = setTimeout(() => leaving.abort(new Error('no event in time')), PATIENCE_MS)
  let first: number | undefined
  try {
    let heard = ''
    for await (const part of await mirror.stream(leaving.signal)) {
      heard += Buffer.from(part).toString('utf8')
      if (heard.includes('event: first')) first ??= clock.monotonic()
      if (heard.includes('event: last')) break
    }
  } catch (error) {
    return warn(CHECK, `do not come through (${reasonOf(error)})`, 'look into the log of the proxy')
  } finally {
    clearTimeout(late)
    leaving.abort()
  }
  if (first === undefined || clock.monotonic() - first < TOGETHER_MS)
    return warn(
      CHECK,
      'the proxy keeps events back until there are many: followed calls and the console show what happens late',
      `have it pass them on as they come (${proxyAdvice('streams', headers)})`,
    )
  return ok(CHECK, `come as they are sent, the first after ${Math.round(first - began)} ms`)
}
