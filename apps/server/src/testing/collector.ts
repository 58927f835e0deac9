import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
}

export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string
  spans: CollectedSpan[]
  /** What came, as it came. */
  bodies: string[]
  close(): void
}

/** A stand-in for a collector of traces: OTLP over HTTP, in JSON. */
export async function openCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    bodies.push(body)
    for (const { scopeSpans } of JSON.parse(body).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
