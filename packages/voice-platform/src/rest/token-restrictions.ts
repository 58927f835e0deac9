import type { TokenRestrictions } from '@heyline/platform-client'
import type { SpeakerRequest } from '../calls/call-request.js'
import { ApiError } from '../resources/api-error.js'

/**
 * Refuses, with an `ApiError` 403, a web call that its public token may not start. A request without an `Origin` comes from no page:
 * it is refused where origins are listed. Overrides of an allowed assistant are allowed: a page needs them to greet its visitor.
 */
export function refuseRestricted(
  restrictions: TokenRestrictions | undefined,
  request: Request,
  { assistant, assistantId }: SpeakerRequest,
): void {
  if (!restrictions) return
  const { allowedOrigins, allowedAssistantIds, allowTransientAssistant = !allowedAssistantIds } = restrictions
  const origin = request.headers.get('origin')
  if (allowedOrigins && !allowedOrigins.some((allowed) => new URL(allowed).origin === origin))
    throw new ApiError(403, 'This token may not be used from this origin.')
  if (assistant && !allowTransientAssistant)
    throw new ApiError(403, 'This token may not start calls with an assistant of the request’s own.')
  if (assistantId !== undefined && allowedAssistantIds && !isAmong(assistantId, allowedAssistantIds))
    throw new ApiError(403, `This token may not start calls with the assistant ${assistantId}.`)
}

/** UUIDs are the same in upper and lower case. */
const isAmong = (id: string, ids: readonly string[]): boolean =>
  ids.some((allowed) => allowed.toLowerCase() === id.toLowerCase())
