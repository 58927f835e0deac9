import type { IncomingMessage } from 'node:http'

/** What proxies write into the requests that they pass on. */
const SIGNS = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'forwarded',
  'via',
] as const

/** Whether a proxy has written that it passed the request on; anybody else can write that, too. */
export const hasProxySigns = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  SIGNS.some((name) => name in headers)

/** Whether a request seems to have come through a proxy. nginx without settings of its own writes nothing, and speaks HTTP/1.0. */
export const isProxyLikely = (request: Pick<IncomingMessage, 'headers' | 'httpVersion'>): boolean =>
  request.httpVersion === '1.0' || hasProxySigns(request)
