import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SettingError } from '@heyline/kit/setting-error'
import { allowedHosts } from '../edge/allowed-hosts.js'
import { baseHeaders } from '../edge/base-headers.js'
import { pathOf } from '../edge/request-path.js'
import type { MetricsEnd } from '../metrics/metrics-end.js'

/** Most connections at once: one or two programs collect metrics. */
const MOST_CONNECTIONS = 20
/** How long a whole request may take, in ms. */
const REQUEST_MS = 5_000

export interface MetricsPortOptions {
  port: number
  /** The address to listen on. */
  host: string
  publicUrl: string
  metrics: MetricsEnd
}

/** The metrics on a port of their own, without a key, at `/metrics` and `/-/metrics`. */
export async function openMetricsPort({
  port,
  host,
  publicUrl,
  metrics,
}: MetricsPortOptions): Promise<{ port: number; close(): Promise<void> }> {
  const isAllowedHost = allowedHosts({ host, publicUrl })
  const refusalOf = (request: IncomingMessage): number | undefined => {
    if (!isAllowedHost(request.headers.host)) return 421
    if (!/^(\/-)?\/metrics$/.test(pathOf(request))) return 404
    return request.method === 'GET' || request.method === 'HEAD' ? undefined : 405
  }
  const headersOf = baseHeaders()
  const server = createServer(
    { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: REQUEST_MS },
    async (request, response) => {
      for (const [name, value] of headersOf(pathOf(request))) response.setHeader(name, value)
      const refuse = (status: number) => response.writeHead(status, { connection: 'close' }).end()
      const status = refusalOf(request)
      if (status !== undefined) return void refuse(status)
      try {
        const text = await metrics.text()
        response
          .writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' })
          .end(text)
      } catch {
        refuse(500)
      }
    },
  )
  server.maxConnections = MOST_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new SettingError('METRICS_PORT', `${port} can not be used on ${host} (${cause.code})`, { cause }),
      ),
    )
    server.listen(port, host, resolve)
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port: (server.address() as AddressInfo).port, close }
}
