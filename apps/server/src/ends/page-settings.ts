import { NO_PUBLIC_KEY } from '@heyline/page/secrets'
import type { Settings } from '../settings/settings.js'
import type { BackendEnd } from './backend-end.js'
import type { PageOptions } from './page-end.js'
import type { PlatformEnd } from './platform-end.js'

/** What the page is told. Addresses of our own ends are paths, so that it works under every name that reaches us. */
export function pageSettings(
  settings: Settings,
  backend: BackendEnd,
  platform: PlatformEnd,
): PageOptions['settings'] {
  return {
    backendUrl: settings.backend ? backend.url : '/-/backend',
    backendKey: backend.key,
    callWebhookUrl: settings.callWebhookUrl ?? '/-/backend/functions/v1/call-me',
    platformUrl: settings.platform ? platform.url : '/-/platform',
    platformPublicKey: settings.webCalls === 'minted' ? NO_PUBLIC_KEY : platform.publicKey,
    assistantId: platform.assistantId,
    websiteUrl: settings.websiteUrl,
    ...(settings.privacyUrl && { privacyUrl: settings.privacyUrl }),
    visitorHeader: settings.visitorHeader,
    logVisitors: settings.logVisitors,
    inCallStrip: settings.inCallStrip,
    ...webCallsOf(settings),
    ...(settings.webCalls === 'direct' &&
      settings.callDesk !== 'off' && { webCallNote: '/-/backend/functions/v1/web-call-note' }),
    ...humanCheckOf(settings.calls),
    ...(settings.calls.liveStatus && { liveStatus: '/-/calls' }),
    ...(settings.opens && { opens: '/-/opens' }),
  }
}

/** At a hosted platform nobody asks for whom a call is. */
function webCallsOf({
  webCalls,
  platform,
}: Settings): Pick<PageOptions['settings'], 'webCallFunction' | 'ownPlatform'> {
  if (webCalls === 'minted') return { webCallFunction: '/-/backend/functions/v1/web-call' }
  return platform ? {} : { ownPlatform: true }
}

function humanCheckOf({ humanCheck }: Settings['calls']): Pick<PageOptions['settings'], 'humanCheck'> {
  if (!humanCheck) return {}
  if (humanCheck.kind === 'altcha') return { humanCheck: { kind: 'altcha', url: '/-/human-check' } }
  return { humanCheck: { kind: 'turnstile', siteKey: humanCheck.siteKey } }
}
