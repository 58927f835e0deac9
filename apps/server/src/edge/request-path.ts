import type { IncomingMessage } from 'node:http'

/** The path of a request as routes see it: without its query, with dots and percent signs resolved. Empty if it is not a path. */
export function pathOf(request: IncomingMessage): string {
  const pathname = read(request)?.pathname ?? ''
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}

/** The query of a request as routes see it. Empty if it has none. */
export const queryOf = (request: IncomingMessage): URLSearchParams =>
  read(request)?.searchParams ?? new URLSearchParams()

function read({ url = '/' }: IncomingMessage): URL | undefined {
  // Put together, not resolved: `//name/path` is a path, as routes see it.
  const whole = url.startsWith('/') ? `http://localhost${url}` : url
  return URL.canParse(whole) ? new URL(whole) : undefined
}
