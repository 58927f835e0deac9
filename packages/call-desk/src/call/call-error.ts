import { isOutage } from '@heyline/database'

/** Every error that the webhook and the hook answer with: status and text by code. */
export const CALL_ERRORS = {
  invalid_json: {
    status: 400,
    message:
      'The body must be a JSON object with exactly two texts: {"phone": "+14155552671", "slug": "default"}.',
  },
  invalid_phone: {
    status: 400,
    message: 'The phone number must be a valid international number with its country code and no extension.',
  },
  invalid_slug: { status: 400, message: 'Name the page: ?slug=…, with 1 to 200 characters.' },
  unauthorized: {
    status: 401,
    message: 'The message is not signed with the secret of this server, or too old.',
  },
  call_refused: { status: 403, message: 'This call is not placed.' },
  visitor_not_found: { status: 404, message: 'There is no visitor with this slug.' },
  desk_off: { status: 404, message: 'Phone calls are not placed here.' },
  not_found: { status: 404, message: 'Nothing is served here.' },
  method_not_allowed: { status: 405, message: 'Use POST.' },
  in_flight: {
    status: 409,
    message:
      'A request with this idempotency key, or a call to this number, is still in flight. Try again when it is over.',
  },
  too_large: { status: 413, message: 'The body is too large.' },
  too_many_streams: {
    status: 429,
    message: 'Too many follow calls from this address. Try again in a minute.',
  },
  unsupported_media_type: { status: 415, message: 'The body must be sent as application/json.' },
  idempotency_mismatch: {
    status: 422,
    message: 'The idempotency key was used with another body. Use a new key for a new request.',
  },
  call_failed: { status: 502, message: 'The call could not be placed.' },
  lookup_failed: {
    status: 503,
    message: 'The visitor could not be looked up. Nothing will be dialled; try again.',
  },
  unavailable: { status: 503, message: 'The request could not be stored. Try again.' },
} as const

/** When to come again after an outage. */
const RETRY_SECONDS = '2'

export type CallErrorCode = keyof typeof CALL_ERRORS

/** The answer for a code: `{ code, message }`. `detail` says what exactly, where the text of the code does not. */
export function errorResponse(code: CallErrorCode, detail?: string): Response {
  const { status, message } = CALL_ERRORS[code]
  return Response.json(
    { code, message: detail ?? message },
    { status, headers: { 'cache-control': 'no-store', ...(status === 405 ? { allow: 'POST' } : {}) } },
  )
}

/** The same for what failed here. It says when to come again where the database is away, or the backend of the visitors. */
export function failureResponse(
  code: 'unavailable' | 'lookup_failed',
  error: unknown,
  detail?: string,
): Response {
  const response = errorResponse(code, detail)
  if (code === 'lookup_failed' || isOutage(error)) response.headers.set('retry-after', RETRY_SECONDS)
  return response
}
