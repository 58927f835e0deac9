import type { AnswerKind } from '../operations/operation.js'
import type { Exchange } from './exchange.js'
import { readAnswer } from './read-answer.js'
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
