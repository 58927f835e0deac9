import { RequestError, type RequestErrorContext } from './request-error.js'

/** The failures of Node that come before a connection stands. */
const CONNECT_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Reads a property of something unknown. */
function read(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** Whether this error of the network can only come before the first byte was sent. */
function isBeforeSending(error: unknown): boolean {
  const several = read(error, 'errors')
  if (Array.isArray(several) && several.length > 0) return several.every(isBeforeSending)
  const code = read(error, 'code')
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return true
  const step = read(error, 'syscall')
  return (step === 'connect' || step === 'getaddrinfo') && typeof code === 'string' && CONNECT_CODES.has(code)
}

/** The connection failed: refused, unresolved, or cut before the answer was whole. `cause` is the error of `fetch`. */
export class ConnectionError extends RequestError {
  override readonly name = 'ConnectionError'
  /**
   * True only when the request has certainly not reached the platform (Node tells; browsers do not, so there it is false).
   * False leaves it open.
   */
  readonly neverSent: boolean

  constructor(context: RequestErrorContext) {
    super('connection_failed', `${context.method} ${context.path}: no connection to the platform`, context)
    this.neverSent = isBeforeSending(read(context.cause, 'cause'))
  }
}
