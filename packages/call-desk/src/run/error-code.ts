import { PlatformError } from '@heyline/platform-client'

/** Words that platforms give as the code of an error. Any other may hold what nobody wants in a log. */
export const CODE_WORDS: ReadonlySet<string> = new Set([
  'bad_gateway',
  'bad_request',
  'conflict',
  'forbidden',
  'gateway_timeout',
  'internal_server_error',
  'invalid_response',
  'lines_failed',
  'not_found',
  'outage',
  'payment_required',
  'rate_limited',
  'service_unavailable',
  'too_many_requests',
  'unauthorized',
  'unprocessable_entity',
  'validation_error',
])

/** What of a reason (`code: text`) may stand in a log: the code, of the platform's own only a known word. */
export function reasonCode(reason: string): string {
  const [code = ''] = reason.split(':', 1)
  const [, answered, word = ''] = /^(platform_\d{3})(?:_(.*))?$/s.exec(code) ?? []
  if (answered === undefined) return code
  return CODE_WORDS.has(word) ? code : answered
}

/** The code of an error, or its class: all that a log may say, since texts and details of a database's errors quote numbers. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  // A platform may say anything as its code.
  if (error instanceof PlatformError && !CODE_WORDS.has(error.code)) return `${error.name} ${error.status}`
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name
}
