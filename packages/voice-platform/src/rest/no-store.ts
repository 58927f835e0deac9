import type { MiddlewareHandler } from 'hono'

/** No answer is kept by browsers and proxies, unless it says so itself: it is for whoever sent the key. */
export const noStore: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
}
