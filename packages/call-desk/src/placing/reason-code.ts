/** Words that platforms give as the code of an error. Any other may hold what nobody wants in a log. */
export const codeWords: ReadonlySet<string> = new Set([
  'bad_gateway',
  'bad_request',
  'conflict',
  'forbidden',
  'gateway_timeout',
  'internal_server_error',
  'invalid_response',
  'not_found',
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
  return codeWords.has(word) ? code : answered
}
