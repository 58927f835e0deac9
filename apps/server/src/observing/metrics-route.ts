import { isSameSecret } from '@heyline/kit/secret'
import type { Handler } from '../ends/in-process.js'
import type { MetricsEnd } from '../metrics/metrics-end.js'

/** `GET /-/metrics`: the metrics for who has the secret key (`Authorization: Bearer …`), 401 for all others. */
export const metricsRoute =
  (metrics: MetricsEnd, secretKey: string): Handler =>
  async ({ method, headers }) => {
    const bearer = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
    if (bearer === undefined || !isSameSecret(bearer, secretKey))
      return Response.json(
        { code: 'unauthorized', message: 'The metrics need the secret key: Authorization: Bearer …' },
        { status: 401, headers: { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' } },
      )
    if (method !== 'GET' && method !== 'HEAD')
      return Response.json(
        { code: 'method_not_allowed', message: 'Metrics are read' },
        { status: 405, headers: { allow: 'GET, HEAD' } },
      )
    return new Response(await metrics.text(), {
      headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' },
    })
  }
