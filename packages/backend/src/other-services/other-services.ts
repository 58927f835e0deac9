/** Services of a Supabase project that are not served here. */
export type OtherService = 'auth' | 'storage' | 'realtime'

const API_VERSION = 'x-supabase-api-version'

/**
 * What Supabase's own Auth answers where a project has a way of signing in turned off. Of all statuses, every client turns this one into
 * one error with our sentence, at once: auth-js takes a 5xx for a network fault, storage-js takes 400 and 404 for a file that is not
 * there, and realtime-js takes 404 for an old server.
 */
const NOT_SERVED = { status: 422 }
const CODE = 'not_served'

/** What a person reads. */
export const notServedText = (service: OtherService): string =>
  `This server has no ${service} service: point the client at a Supabase project for it`

/** The refusal, in the error shape that the service's own client reads. */
export function notServed(service: OtherService, request: Request): Response {
  const message = notServedText(service)
  const version = request.headers.get(API_VERSION)
  switch (service) {
    case 'auth':
      // auth-js names the version of the error format it knows; without one it is the older format.
      return version === null
        ? Response.json({ code: NOT_SERVED.status, error_code: CODE, msg: message }, NOT_SERVED)
        : Response.json({ code: CODE, message }, { ...NOT_SERVED, headers: { [API_VERSION]: version } })
    case 'storage':
      return Response.json({ statusCode: String(NOT_SERVED.status), error: CODE, message }, NOT_SERVED)
    case 'realtime':
      // realtime-js shows `error` rather than `message`, where there is one.
      return Response.json({ code: CODE, message }, NOT_SERVED)
  }
}

/** What Supabase's gateway says of a path that belongs to no service. */
export function noRoute(): Response {
  return Response.json({ message: 'no Route matched with those values' }, { status: 404 })
}
