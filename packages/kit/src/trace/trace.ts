import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

const TRACER = 'heyline'

/** Something that takes time, as a trace shows it. */
export interface Traced {
  name: string
  /** No slug, no number and no words of anybody. */
  attributes?: Attributes
  /** It asks somebody outside of this process. */
  isQuestion?: boolean
  /** A `traceparent` from elsewhere that it is part of; null for one that begins here. By default it is part of whatever runs it. */
  parent?: string | null | undefined
}

/** Runs work as a part of a trace. Without an SDK it just runs. */
export async function traced<Value>(
  { name, attributes = {}, isQuestion = false, parent }: Traced,
  work: () => Promise<Value>,
): Promise<Value> {
  const from =
    parent === undefined
      ? context.active()
      : propagation.extract(ROOT_CONTEXT, parent === null ? {} : { traceparent: parent })
  const kind = isQuestion ? SpanKind.CLIENT : SpanKind.INTERNAL
  return await trace.getTracer(TRACER).startActiveSpan(name, { kind, attributes }, from, async (span) => {
    try {
      return await work()
    } catch (error) {
      // The name alone: a message may hold what somebody said or wrote.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
      throw error
    } finally {
      span.end()
    }
  })
}

/** W3C's `traceparent` of what runs here, for whoever goes on with it; null where nothing is traced. */
export function traceparent(): string | null {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent ?? null
}
