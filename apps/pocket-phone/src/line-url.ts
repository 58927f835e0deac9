/** Where the carrier takes phones: beside the page, with the page's key. */
export function lineUrl(page: URL): string {
  const url = new URL('/-/carriers/simulated/phones', page)
  url.protocol = page.protocol === 'https:' ? 'wss:' : 'ws:'
  const key = page.searchParams.get('key')
  if (key !== null) url.searchParams.set('key', key)
  return url.href
}
