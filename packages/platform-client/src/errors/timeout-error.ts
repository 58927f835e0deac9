import { RequestError, type RequestErrorContext } from './request-error.js'

/** No whole answer within the client's time limit, all attempts together. Whether the platform acted is not known. */
export class TimeoutError extends RequestError {
  override readonly name = 'TimeoutError'
  readonly timeoutMs: number

  constructor(timeoutMs: number, context: RequestErrorContext) {
    super('timeout', `${context.method} ${context.path} was not answered within ${timeoutMs} ms`, context)
    this.timeoutMs = timeoutMs
  }
}
