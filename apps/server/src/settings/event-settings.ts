import { SettingError } from '@heyline/kit/setting-error'
import { isEndpointSecret, urlProblem } from '@heyline/timeline/settings'
import type { Environment } from './environment.js'

/** Who is told what happens, as far as settings say it. */
export interface EventSettings {
  /** Of two secrets the first is the new one. */
  endpoint?: { url: string; secrets: readonly string[] }
  /** Addresses of private networks and of this machine are permitted, and so is http. */
  allowPrivate: boolean
}

export function eventSettings(values: Environment): EventSettings {
  const { EVENTS_URL, EVENTS_SECRET, EVENTS_ALLOW_PRIVATE: allowPrivate } = values
  if (!EVENTS_URL) {
    if (EVENTS_SECRET)
      throw new SettingError('EVENTS_SECRET', 'has no effect without EVENTS_URL: set that too, or unset this')
    return { allowPrivate }
  }
  const problem = urlProblem(EVENTS_URL, allowPrivate)
  if (problem) throw new SettingError('EVENTS_URL', `the address ${problem}`)
  if (!EVENTS_SECRET) throw new SettingError('EVENTS_SECRET', 'is needed with EVENTS_URL')
  if (!EVENTS_SECRET.every(isEndpointSecret))
    throw new SettingError(
      'EVENTS_SECRET',
      'the value is not whsec_ and 24 to 64 bytes in base64: `echo whsec_$(openssl rand -base64 32)` makes one',
    )
  return { endpoint: { url: EVENTS_URL, secrets: EVENTS_SECRET }, allowPrivate }
}
