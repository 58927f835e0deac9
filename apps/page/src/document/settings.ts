/**
 * What the page must know about its surroundings. The server validates its own environment, then inlines this in
 * the HTML: addresses, public keys and switches only, never a secret. An address may be relative to the page.
 */
export interface Settings {
  /** The hosted or built-in backend, without `/rest/v1`. */
  backendUrl: string
  /** The backend's publishable (anonymous) key. */
  backendKey: string
  /** Where 'Call Now' posts `{phone, slug}`. */
  callWebhookUrl: string
  /** The voice platform's REST API. */
  platformUrl: string
  /** The platform's public key, made for browsers; `none` where `webCallFunction` is given: the page then starts nothing with it. */
  platformPublicKey: string
  /** The assistant that every browser call starts from. */
  assistantId: string
  /** The footer's and the not-found screen's link. */
  websiteUrl: string
  /** Given where a link below the form leads to what is said about people's data. */
  privacyUrl?: string
  /** False leaves out the `x-visitor-slug` header, for a backend whose CORS refuses it. */
  visitorHeader: boolean
  /** False leaves out the read of all visitors that is only logged. */
  logVisitors: boolean
  /** False leaves out the strip with level, mute, timer and transcript during a browser call. */
  inCallStrip: boolean
  /** Given where our server makes the browser calls (`WEB_CALLS=minted`): where the page posts `{slug}` for one. */
  webCallFunction?: string
  /** Given where the page starts browser calls itself, and our server wants to know for which visitor: where it then posts `{slug, callId}`. */
  webCallNote?: string
  /** True where the platform is ours, and the page asks it itself: it then says for which visitor, in `x-visitor-slug`. */
  ownPlatform?: boolean
  /** Given where our own webhook asks for a proof that a browser with a person before it calls: what 'Call Now' must bring. */
  humanCheck?: HumanCheckSetting
  /** Given where a line under the form is to follow the call: the address below which `/{id}/events` tells of it. */
  liveStatus?: string
  /** Given where the page tells that a person has opened it: where it posts `{slug}`. */
  opens?: string
}

/** A puzzle of our own server, fetched from `url`; or Cloudflare Turnstile with its public site key. */
export type HumanCheckSetting = { kind: 'altcha'; url: string } | { kind: 'turnstile'; siteKey: string }

/** The settings with absolute addresses, which the platform and database clients need. */
export function resolveSettings(settings: Settings, base: string): Settings {
  const absolute = (url: string) => new URL(url, base).href.replace(/\/$/, '')
  return {
    ...settings,
    backendUrl: absolute(settings.backendUrl),
    callWebhookUrl: new URL(settings.callWebhookUrl, base).href,
    platformUrl: absolute(settings.platformUrl),
  }
}
