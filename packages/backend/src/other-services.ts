/** Services of a Supabase project that are not served here. */
export type OtherService = 'auth' | 'storage' | 'realtime'

const API_VERSION = 'x-supabase-api-version'

/** 501, in the error shape that the service's own client reads. */
export function notServed(service: OtherService, request: Request): Response {
  const message = `This server has no ${service} service: point the client at a Supabase project for it`
  const version = request.headers.get(API_VERSION)
  switch (service) {
    case 'auth':
      // auth-js names the version of the error format it knows; without one it is the older format.
      return version === null
        ? Response.json({ code: 501, error_code: 'not_implemented', msg: message }, { status: 501 })
        : Response.json(
            { code: 'not_implemented', message },
            { status: 501, headers: { [API_VERSION]: version } },
          )
    case 'storage':
      return Response.json({ statusCode: '501', error: 'Not Implemented', message }, { status: 501 })
    case 'realtime':
      return Response.json({ error: 'not_implemented', message }, { status: 501 })
  }
}

/** What Supabase's gateway says of a path that belongs to no service. */
export function noRoute(): Response {
  return Response.json({ message: 'no Route matched with those values' }, { status: 404 })
}
