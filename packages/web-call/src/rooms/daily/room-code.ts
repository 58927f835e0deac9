/** Where Daily's library 0.80.0 gets the code of a room at a join, unless `dailyConfig` says otherwise. */
export const ROOM_CODE_URL =
  'https://c.daily.co/call-machine/versioned/0.80.0/static/call-machine-object-bundle.js'

let isAskedFor = false

/**
 * Asks the browser for the code of a room, once in a page: a join that comes meanwhile, or later, takes it from there.
 * It is of no use to a room with a `dailyConfig.callObjectBundleUrlOverride`, whose code comes from there.
 * Where that fails, the join asks again, as it would have anyway. Here and not with the library, which it need not await.
 */
export function preloadRoomCode(): void {
  if (isAskedFor) return
  isAskedFor = true
  const link = document.createElement('link')
  link.rel = 'preload'
  link.as = 'script'
  link.href = ROOM_CODE_URL
  document.head.append(link)
}
