/** Methods that change nothing. */
const READING = ['GET', 'HEAD']
/** What a browser says of a request of our own pages, or of an address that was typed in. */
const OWN_SITES = ['same-origin', 'none']

/**
 * Whether a request may come with the console's cookie: only our own pages ask with it. A change says in `Origin` where it comes from, as
 * all browsers do; where `Sec-Fetch-Site` is sent, it must say the same. https://www.w3.org/TR/fetch-metadata/
 */
export function isOfOwnPages({ method, headers }: Request, origins: readonly string[]): boolean {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (READING.includes(method)) return site === null || OWN_SITES.includes(site)
  return origin !== null && origins.includes(origin) && (site === null || site === 'same-origin')
}
