/** What tells a mobile browser: the part of `navigator` that is asked. */
export interface BrowserIdentity {
  userAgent: string
  platform?: string
  maxTouchPoints?: number
}

/** Whether this is a phone or a tablet. iPadOS says it is a Mac; its touch screen gives it away. */
export function isMobile(browser: BrowserIdentity | undefined = globalThis.navigator): boolean {
  if (!browser) return false
  if (/android|webos|iphone|ipad|ipod|blackberry|iemobile|opera mini/i.test(browser.userAgent)) return true
  return /mac/i.test(browser.platform ?? browser.userAgent) && (browser.maxTouchPoints ?? 0) > 1
}
