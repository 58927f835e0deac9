import type { IncomingMessage } from 'node:http'

/** The path of a request as routes see it: without its query, dots and percent signs resolved. Empty for what is no path. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  if (!URL.canParse(url, 'http://localhost')) return ''
  const { pathname } = new URL(url, 'http://localhost')
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}
