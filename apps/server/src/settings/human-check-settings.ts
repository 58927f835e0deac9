import { SettingError } from '@heyline/kit/setting-error'
import type { Environment } from './environment.js'
import { isPublicUrl } from './loopback.js'
import { refuseLonely, required } from './required.js'

/** How a page shows that a person is before it. */
export type HumanCheckSettings =
  | { kind: 'altcha' }
  | {
      kind: 'turnstile'
      /** The page's. */
      siteKey: string
      secretKey: string
      /** The verifier. */
      url: string
    }

/** Which human check the call desk asks for; undefined for none. Where calls are real, altcha is the default. */
export function humanCheckSettings(values: Environment, real: boolean): HumanCheckSettings | undefined {
  const kind = values.HUMAN_CHECK ?? (real ? 'altcha' : 'off')
  if (kind !== 'turnstile')
    refuseLonely(values, ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY'], 'HUMAN_CHECK=turnstile')
  // A foreign webhook would not look at the token.
  if (values.CALL_WEBHOOK_URL || kind === 'off') return undefined
  if (kind === 'altcha') {
    refuseWithoutCrypto(values.PUBLIC_URL)
    return { kind }
  }
  return {
    kind,
    siteKey: required(values, 'TURNSTILE_SITE_KEY', 'HUMAN_CHECK=turnstile'),
    secretKey: required(values, 'TURNSTILE_SECRET_KEY', 'HUMAN_CHECK=turnstile'),
    url: values.TURNSTILE_URL,
  }
}

/** Browsers have WebCrypto in secure contexts only, and altcha's work is done with it. */
function refuseWithoutCrypto(publicUrl: string | undefined) {
  if (!isPublicUrl(publicUrl) || new URL(publicUrl).protocol === 'https:') return
  throw new SettingError(
    'HUMAN_CHECK',
    `altcha needs what browsers give to https:// pages only, and PUBLIC_URL is ${publicUrl}: give it an https:// address, or set HUMAN_CHECK=off`,
  )
}
