import type { HeaderList } from '../http/header-list.js'

/** What pages of other origins may use: our page may be on a static host, and its links are shown anywhere. */
const FOR_OTHER_ORIGINS = /^\/-\/(backend|platform|previews|human-check|calls|embed)(\/|$)/

const YEAR_S = 31_536_000

/**
 * The headers that every answer begins with; a handler may replace them. With an https `PUBLIC_URL` browsers are told to use
 * https only, for a year. Subdomains are not included, because they may not be ours. Without one, as on a port for programs, they are not.
 */
export function baseHeaders(publicUrl?: string): (path: string) => HeaderList {
  const everywhere: HeaderList = [
    ['x-content-type-options', 'nosniff'],
    ['cross-origin-opener-policy', 'same-origin'],
  ]
  if (publicUrl !== undefined && new URL(publicUrl).protocol === 'https:')
    everywhere.push(['strict-transport-security', `max-age=${YEAR_S}`])
  return (path) => [
    ...everywhere,
    ['cross-origin-resource-policy', FOR_OTHER_ORIGINS.test(path) ? 'cross-origin' : 'same-origin'],
  ]
}
