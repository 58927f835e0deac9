import { BoundedLog } from '@heyline/kit/bounded-log'
import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api'
import type { Logger } from 'pino'
import { VERSION } from '../version.js'

/** Longest that one sending of spans may take, in ms: a stop waits for the last one. */
const SENDING_MS = 2_000

export interface TracingOptions {
  /** Of a collector that speaks OTLP over HTTP, without `/v1/traces`. */
  endpoint: string
  logger: Logger
}

/**
 * Sends what is traced to a collector from now on, in batches and in the background; of what it can't take in time, spans are dropped. The SDK is loaded
 * here and nowhere else. It also reads `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_TRACES_SAMPLER`.
 */
export async function startTracing({ endpoint, logger }: TracingOptions): Promise<() => Promise<void>> {
  const [sdk, exporting, contexts, resources, core] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/core'),
  ])
  const log = new BoundedLog({ logger })
  const told = () => log.warn('traces', {}, 'traces could not be sent: is the collector there?')
  const silent = () => {}
  // What it says may hold the collector's address with a key, so it is not repeated.
  diag.setLogger(
    { error: told, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  const resource = resources
    .resourceFromAttributes({ 'service.name': 'heyline', 'service.version': VERSION })
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))
  const exporter = new exporting.OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: SENDING_MS,
  })
  const provider = new sdk.BasicTracerProvider({
    resource,
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new contexts.AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator())
  return async () => {
    await provider.shutdown().catch(told)
    trace.disable()
    context.disable()
    propagation.disable()
    diag.disable()
    log.close()
  }
}
