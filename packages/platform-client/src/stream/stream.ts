import type { EventStream } from '../api/page.js'
import { invalidAnswer } from '../errors/platform-error.js'
import type { Exchange } from '../request/exchange.js'
import { EventData } from './event-data.js'

/** What ends a stream in the manner of OpenAI's, beside the end of the connection. */
const done = '[DONE]'

/** The pieces of an answer's text, as they come. */
async function* pieces(exchange: Exchange, response: Response): AsyncGenerator<string, void, undefined> {
  if (!response.body) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      exchange.deadline.restart()
      const { done: isOver, value } = await exchange.reading(() => reader.read())
      yield decoder.decode(value, { stream: !isOver })
      if (isOver) return
    }
  } finally {
    // Whoever leaves the loop early wants no more of it; an answer that failed has nothing to cancel.
    reader.cancel().catch(() => {})
  }
}

/** Sends a request, once, and gives the data of its server-sent events, parsed. The time limit bounds each silence. */
export async function* stream(prepare: () => Exchange): EventStream<unknown> {
  const exchange = prepare()
  const { context, deadline } = exchange
  try {
    const response = await exchange.send()
    const invalid = (what: string) => invalidAnswer(context, response.status, what)
    if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
      throw invalid('no event stream')
    const events = new EventData()
    const parse = (data: string): unknown => {
      try {
        return JSON.parse(data)
      } catch {
        // The parser's error quotes the data, so it is not kept as the cause.
        throw invalid('an event that is not JSON')
      }
    }
    for await (const piece of pieces(exchange, response)) {
      for (const data of events.push(piece)) {
        if (data === done) return
        yield parse(data)
      }
    }
    for (const data of events.end()) if (data !== done) yield parse(data)
  } finally {
    deadline.close()
  }
}
