import { isPublicUrl } from '../settings/loopback.js'
import type { Settings } from '../settings/settings.js'

/**
 * How the pocket phone is opened: by a link, which holds `PHONE_KEY` where it would not open without. `closed`: it needs a key that nobody
 * set. `none`: calls ring other phones.
 */
export type PhoneLink = { kind: 'link'; url: string; hasKey: boolean } | { kind: 'closed' } | { kind: 'none' }

type PhoneSettings = Pick<Settings, 'platform' | 'twilio' | 'sip' | 'keys' | 'publicUrl' | 'trustProxy'>

/** Whether somebody can open the pocket phone. Without a key it opens only on this machine, so not at a public address. */
export const canOpenPhone = (publicUrl: string, hasKey: boolean): boolean => hasKey || !isPublicUrl(publicUrl)

/** `url` is the server's public address; without a `PUBLIC_URL` its port on this machine. */
export function phoneLink(settings: PhoneSettings, url: string): PhoneLink {
  const { platform, twilio, sip, keys, publicUrl, trustProxy = 0 } = settings
  if (platform !== undefined || twilio !== undefined || sip !== undefined) return { kind: 'none' }
  const link = `${url}/-/phone`
  // Our own port on this machine: nobody stands between, so the key is not asked for.
  if (publicUrl === undefined) return { kind: 'link', url: link, hasKey: false }
  // A container's port or a proxy may stand between, also where the address is this machine's.
  if (keys.phone !== undefined)
    return { kind: 'link', url: `${link}?${new URLSearchParams({ key: keys.phone })}`, hasKey: true }
  return isPublicUrl(url) || trustProxy > 0 ? { kind: 'closed' } : { kind: 'link', url: link, hasKey: false }
}
