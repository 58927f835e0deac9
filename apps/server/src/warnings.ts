import type { PlatformEnd } from './ends/platform-end.js'
import type { Settings } from './settings/settings.js'

/** What an operator must know before others open the page. */
export function warningsOf({ callWebhookUrl }: Settings, platform: PlatformEnd): string[] {
  const realCalls = !callWebhookUrl && platform.builtIn?.carrier.simulated === undefined
  return realCalls
    ? [
        'Careful: Call Me places real phone calls, and this version has no limits on them yet. Anyone with a link can have any number called.',
      ]
    : []
}
