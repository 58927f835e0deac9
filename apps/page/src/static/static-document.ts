import { contentSecurityPolicy } from '../content-security-policy.js'
import { render, styleHashes } from '../server/render.js'
import type { Settings } from '../settings.js'

/**
 * The one document of a static page: the loading state, in which the browser looks the visitor up. The host sends no
 * headers of ours, so the policy stands in the document, and names the configured ends.
 */
export function staticDocument(settings: Settings): string {
  const policy = contentSecurityPolicy({
    hosted: [settings.backendUrl, settings.callWebhookUrl],
    platform: settings.platformUrl,
    turnstile: settings.humanCheck?.kind === 'turnstile',
    styleHashes,
  })
  return render({ state: { kind: 'loading' }, settings, policy })
}
