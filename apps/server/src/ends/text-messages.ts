import { namesNumber } from '@heyline/voice-platform'
import { isPublicUrl } from '../settings/loopback.js'
import type { Settings } from '../settings/settings.js'

/** `to` is E.164. */
export interface OwnText {
  to: string
  body: string
}

/** Whether somebody can open the pocket phone. Without a key it opens only on this machine, so not at a public address. */
export const canOpenPhone = (publicUrl: string, hasKey: boolean): boolean => hasKey || !isPublicUrl(publicUrl)

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
