/** What pages of other origins use: they may live on a static host, and their links are shown anywhere. */
const FOR_OTHER_ORIGINS = /^\/-\/(backend|platform|previews|human-check|calls)(\/|$)/

const YEAR_S = 31_536_000

/**
 * The headers that every answer begins with; a part may set its own in their place. With an https `PUBLIC_URL` browsers are told to come
 * by https only, for a year; other hosts of the same domain are not ours to speak for.
 */
export function baseHeaders(publicUrl: string): (path: string) => [name: string, value: string][] {
  const everywhere: [string, string][] = [
    ['x-content-type-options', 'nosniff'],
    ['cross-origin-opener-policy', 'same-origin'],
  ]
  if (new URL(publicUrl).protocol === 'https:')
    everywhere.push(['strict-transport-security', `max-age=${YEAR_S}`])
  return (path) => [
    ...everywhere,
    ['cross-origin-resource-policy', FOR_OTHER_ORIGINS.test(path) ? 'cross-origin' : 'same-origin'],
  ]
}
