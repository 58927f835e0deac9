import { z } from 'zod'
import type { InboundRoute } from '../number-account.js'
import { inboundUrl } from './twilio-callback.js'

/** Twilio answers calls to a new number with a greeting of its own, from here. */
const UNSET_HOST = 'demo.twilio.com'

/** A number of the account and who answers it (IncomingPhoneNumber resource). A trunk goes before an application, and that before the URL. */
export const inboundNumber = z.object({
  sid: z.string().min(1),
  phone_number: z.string(),
  // Numbers that were bought for texts alone take no calls.
  capabilities: z.object({ voice: z.boolean().optional() }).optional(),
  voice_url: z.string().nullish(),
  voice_method: z.string().nullish(),
  voice_application_sid: z.string().nullish(),
  trunk_sid: z.string().nullish(),
})

export type InboundNumber = z.infer<typeof inboundNumber>

/** Where calls to a number go, beside the address at which Twilio reaches this server. */
export function routeOf(
  {
    voice_url: url,
    voice_method: method,
    voice_application_sid: application,
    trunk_sid: trunk,
  }: InboundNumber,
  ours: string | undefined,
): InboundRoute {
  if (trunk) return { to: 'elsewhere', where: `the SIP trunk ${trunk}`, isFormer: false }
  if (application) return { to: 'elsewhere', where: `the TwiML application ${application}`, isFormer: false }
  if (!url) return { to: 'nowhere' }
  // By GET nobody of ours answers.
  if (url === ours) return { to: method === 'GET' ? 'nowhere' : 'here' }
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.host === UNSET_HOST) return { to: 'nowhere' }
  // No more of it: a query may hold a password.
  return {
    to: 'elsewhere',
    where: parsed?.host ?? 'another address',
    isFormer: parsed?.pathname === inboundUrl(''),
  }
}

/** What sends calls to a number to this address, and to nothing else. */
export const sentTo = (url: string): URLSearchParams =>
  new URLSearchParams({ VoiceUrl: url, VoiceMethod: 'POST', VoiceApplicationSid: '', TrunkSid: '' })
