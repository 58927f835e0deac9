import { namesNumber } from '@heyline/voice-platform'
import type { Settings } from '../settings/settings.js'
import { canOpenPhone } from './phone-link.js'

/** `to` is E.164. */
export interface OwnText {
  to: string
  body: string
}

/** Whether texts of our own carrier reach anybody: those of the simulated one are on the pocket phone only. */
export const sendsTexts = (
  { platform, twilio, sip, keys }: Pick<Settings, 'platform' | 'twilio' | 'sip' | 'keys'>,
  publicUrl: string,
): boolean => {
  if (platform !== undefined) return false
  // One phone for all numbers would show everybody's codes.
  if (sip !== undefined) return namesNumber(sip.to)
  return twilio !== undefined || canOpenPhone(publicUrl, keys.phone !== undefined)
}
