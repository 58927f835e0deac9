import { SettingError } from '@heyline/kit/setting-error'
import { callDeskDuty } from './call-desk-duty.js'
import type { Environment } from './environment.js'
import { isPublicUrl } from './loopback.js'
import { required } from './required.js'

/** Who asks the platform for a browser call: our server, which keeps the prompt and the private key, or the page (spec 7.5). */
export type WebCalls = NonNullable<Environment['WEB_CALLS']>

/** `minted` where strangers reach the server, the visitors are its own, and so is the call desk; as long as nothing is said. */
export function webCallsOf(values: Environment): WebCalls {
  const { WEB_CALLS: said, SUPABASE_URL, PUBLIC_URL } = values
  const hasDesk = callDeskDuty(values) !== 'off'
  if (said === undefined) return isPublicUrl(PUBLIC_URL) && !SUPABASE_URL && hasDesk ? 'minted' : 'direct'
  if (said === 'direct') return said
  if (!hasDesk)
    throw new SettingError(
      'WEB_CALLS',
      'minted calls are made by our own call desk, which is off with CALL_WEBHOOK_URL and PLATFORM_URL: unset one of them',
    )
  if (SUPABASE_URL) required(values, 'SUPABASE_SECRET_KEY', 'WEB_CALLS=minted and SUPABASE_URL')
  return said
}
