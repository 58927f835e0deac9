import type { IncomingMessage } from 'node:http'

/** The path of a request as routes see it: without its query, with dots and percent signs resolved. Empty if it is not a path. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  if (!URL.canParse(url, 'http://localhost')) return ''
  const { pathname } = new URL(url, 'http://localhost')
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}
