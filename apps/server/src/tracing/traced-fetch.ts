import { traced, traceparent } from '@heyline/kit/trace'
import { trace } from '@opentelemetry/api'

/** A `fetch` whose requests are part of the trace that they belong to, and carry it on to whoever answers. `name` is whom it asks. */
export const tracedFetch =
  (name: string, send: typeof fetch): typeof fetch =>
  async (input, init) => {
    // Nobody traces what no request of a person and no call began.
    if (!trace.getActiveSpan()) return await send(input, init)
    const request = new Request(input, init)
    return await traced({ name: `${name} ${request.method}`, isQuestion: true }, async () => {
      const parent = traceparent()
      if (parent !== null) request.headers.set('traceparent', parent)
      const response = await send(request)
      trace.getActiveSpan()?.setAttribute('http.response.status_code', response.status)
      return response
    })
  }
