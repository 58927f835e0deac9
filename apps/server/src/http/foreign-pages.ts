import type { IncomingMessage } from 'node:http'

/** What a request says of the page that sent it. */
type Sent = Pick<IncomingMessage, 'headers' | 'method'>

/**
 * Whether a page of another site had a browser send this request: who looks at that page has not asked for it. That is also so where the page left
 * for ours by itself, and nobody clicked: it may do so again and again without ever arriving.
 */
export type IsForeign = (request: Sent) => boolean

export interface ForeignPagesOptions {
  publicUrl: string
  /** Other origins whose pages are no strangers. */
  allowedOrigins?: readonly string[]
}

/**
 * Tells requests of foreign pages from all others: their limits are counted apart, so that they use up nothing of their readers'. Browsers say
 * it by Fetch Metadata (https://www.w3.org/TR/fetch-metadata/) and `Origin`, which a page cannot change. Other clients may say what they like.
 */
export function foreignPages({ publicUrl, allowedOrigins = [] }: ForeignPagesOptions): IsForeign {
  const known = new Set([publicUrl, ...allowedOrigins].map((url) => new URL(url).origin))
  return (request) => {
    const { origin, host, 'sec-fetch-site': site } = request.headers
    if (origin !== undefined && (known.has(origin) || isOf(host, origin))) return false
    if (site === undefined) return origin !== undefined
    if (isAhead(request)) return site !== 'same-origin'
    return (site === 'cross-site' || site === 'same-site') && !(isOpened(request) && isClicked(request))
  }
}

/** Whether a page takes the place of another one in front of somebody, as by a link. */
export const isOpened = (request: Sent): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers['sec-fetch-dest'] === 'document' &&
  !isAhead(request)

/**
 * Whether a browser fetches it ahead of a person who may never open it. Where a page of another site has it do so by speculation rules, Chromium
 * says that no site does (`none`), as for an address that somebody types.
 */
export const isAhead = ({ headers }: Sent): boolean => headers['sec-purpose'] !== undefined

/**
 * Safari never says so (https://github.com/mdn/browser-compat-data/issues/27928): what its users click on other sites is counted as of foreign
 * pages, which is no worse while none of those does much.
 */
const isClicked = ({ headers }: Sent): boolean => headers['sec-fetch-user'] !== undefined

/** Whether it is the origin of the host that is asked, under whatever name. */
const isOf = (host: string | undefined, origin: string): boolean =>
  URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
