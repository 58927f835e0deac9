import type { EventStream } from '../api/page.js'
import { invalidAnswer } from '../errors/platform-error.js'
import type { Exchange } from '../request/exchange.js'
import { EventData } from './event-data.js'

/** What ends a stream in the manner of OpenAI's, beside the end of the connection. */
const DONE = '[DONE]'

/** The pieces of an answer's text, as they come. */
async function* pieces(exchange: Exchange, response: Response): AsyncGenerator<string, void, undefined> {
  if (!response.body) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      exchange.deadline.restart()
      const { done: isOver, value } = await exchange.reading(() => reader.read())
      // The time limit is the platform's, not that of whoever works through the events.
      exchange.deadline.pause()
      yield decoder.decode(value, { stream: !isOver })
      if (isOver) return
    }
  } finally {
    // Whoever leaves the loop early wants no more of it; an answer that failed has nothing to cancel.
    reader.cancel().catch(() => {})
  }
}

/** The data of the events in a text that comes in pieces. */
async function* eventsOf(text: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  const events = new EventData()
  for await (const piece of text) yield* events.push(piece)
  yield* events.end()
}

/** Sends a request, once, and gives the data of its server-sent events, parsed. The time limit bounds each silence. */
export async function* stream(prepare: () => Exchange): EventStream<unknown> {
  const exchange = prepare()
  const { context, deadline } = exchange
  try {
    const response = await exchange.send()
    const invalid = (what: string) => invalidAnswer(context, response.status, what)
    const parse = (data: string): unknown => {
      try {
        return JSON.parse(data)
      } catch {
        // The parser's error quotes the data, so it is not kept as the cause.
        throw invalid('an event that is not JSON')
      }
    }
    if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
      response.body?.cancel().catch(() => {})
      throw invalid('no event stream')
    }
    for await (const data of eventsOf(pieces(exchange, response))) {
      // Events that came together are not given any more once it is aborted.
      deadline.signal.throwIfAborted()
      if (data === DONE) return
      yield parse(data)
    }
  } finally {
    deadline.close()
  }
}
