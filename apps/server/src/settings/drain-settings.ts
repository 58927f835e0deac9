import type { Environment } from './environment.js'
import { isPublicUrl } from './loopback.js'

/** How the server stops. */
export interface DrainSettings {
  /** How long everything works on after the first signal, until balancers have noticed. */
  delayMs: number
  /** How long running calls may go on after that. */
  callsMs: number
  /** What the assistant says in the calls that are left. */
  goodbye: string
}

/** How long balancers have to notice that a server is not ready, in seconds. */
const NOTICE_SECONDS = 5

export const drainSettings = ({
  PUBLIC_URL,
  DRAIN_DELAY_SECONDS = isPublicUrl(PUBLIC_URL) ? NOTICE_SECONDS : 0,
  DRAIN_SECONDS,
  DRAIN_GOODBYE,
}: Pick<
  Environment,
  'PUBLIC_URL' | 'DRAIN_DELAY_SECONDS' | 'DRAIN_SECONDS' | 'DRAIN_GOODBYE'
>): DrainSettings => ({
  delayMs: DRAIN_DELAY_SECONDS * 1000,
  callsMs: DRAIN_SECONDS * 1000,
  goodbye: DRAIN_GOODBYE,
})
