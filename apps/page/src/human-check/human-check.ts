import type { HumanCheckSetting } from '../document/settings.js'
import { altchaToken } from './altcha.js'
import { PreparedToken } from './prepared-token.js'
import { turnstileToken } from './turnstile.js'

/** The check that the settings name, for one visitor's page. A chunk of its own. */
export function createHumanCheck(setting: HumanCheckSetting, slug: string): PreparedToken {
  return new PreparedToken(
    setting.kind === 'altcha'
      ? (signal) => altchaToken({ url: setting.url, slug, signal })
      : (signal) => turnstileToken({ siteKey: setting.siteKey, slug, signal }),
  )
}
