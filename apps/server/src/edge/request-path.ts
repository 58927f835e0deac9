import type { IncomingMessage } from 'node:http'

/** The path of a request as routes see it: without its query, with dots and percent signs resolved. Empty if it is not a path. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  // Put together, not resolved: `//name/path` is a path, as routes see it.
  const whole = url.startsWith('/') ? `http://localhost${url}` : url
  if (!URL.canParse(whole)) return ''
  const { pathname } = new URL(whole)
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}
