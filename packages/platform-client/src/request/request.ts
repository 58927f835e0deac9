import type { AnswerKind } from '../api/operation.js'
import { invalidAnswer } from '../errors/platform-error.js'
import type { RequestErrorContext } from '../errors/request-error.js'
import type { Exchange } from './exchange.js'
import { isRetryable, retryDelay } from './retry.js'

/** Sends a request, again where that is safe and may help, and reads its answer. */
export async function request(exchange: Exchange, answer?: AnswerKind): Promise<unknown> {
  const { context, deadline, retries } = exchange
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await exchange.send()
        return readAnswer(answer, response, await exchange.reading(() => response.text()), context)
      } catch (error) {
        if (attempt > retries || !isRetryable(context.method, error)) throw error
        const delay = retryDelay(attempt, error, Math.random)
        // A wait past the time limit would only hide what the platform said.
        if (delay >= deadline.remainingMs) throw error
        await deadline.wait(delay)
      }
    }
  } finally {
    deadline.close()
  }
}

/** Reads a good answer: JSON parsed, other text as it is, undefined for an empty one or where the operation answers nothing. */
export function readAnswer(
  kind: AnswerKind | undefined,
  { headers, status }: Response,
  body: string,
  context: RequestErrorContext,
): unknown {
  if (kind === 'text') return body
  if (kind === 'none' || body === '') return undefined
  const type = headers.get('content-type')
  if (/^text\/html\b/i.test(type ?? '')) throw invalidAnswer(context, status, 'a web page')
  if (type && !/\bjson\b/i.test(type)) return body
  try {
    return JSON.parse(body)
  } catch {
    if (!type) return body
    // The parser's error quotes the body, so it is not kept as the cause.
    throw invalidAnswer(context, status, 'JSON that does not parse')
  }
}
