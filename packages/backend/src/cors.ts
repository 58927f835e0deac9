/** Headers of an answer that a script of another origin may read; PostgREST's, Supabase Auth's, and those that tell of errors and preferences. */
const EXPOSED = [
  'Content-Encoding',
  'Content-Location',
  'Content-Range',
  'Content-Type',
  'Date',
  'Link',
  'Location',
  'Preference-Applied',
  'Proxy-Status',
  'Range-Unit',
  'Retry-After',
  'Server',
  'Transfer-Encoding',
  'X-Supabase-Api-Version',
  'X-Total-Count',
].join(', ')

const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS'

/** How long a browser may remember a preflight, in seconds. */
const MAX_AGE = '86400'

/** A browser asks for a handful of names, and we say them again. A longer list would make a head that proxies refuse, and blame on the server. */
const LONGEST_NAMES = 1_000

/** Any origin may ask, since a page may be hosted anywhere; without credentials, since keys travel in headers. */
export function preflight(request: Request): Response {
  const asked = request.headers.get('access-control-request-headers') ?? '*'
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': asked.length > LONGEST_NAMES ? '*' : asked,
      'access-control-max-age': MAX_AGE,
      vary: 'access-control-request-headers',
    },
  })
}

/** Lets any origin read the answer. It is changed in place: a copy would turn its body into a stream. */
export function withCors(response: Response): Response {
  try {
    return opened(response)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return opened(new Response(response.body, response)) // what `fetch` answered cannot be changed
  }
}

function opened(response: Response): Response {
  const { headers } = response
  headers.set('access-control-allow-origin', '*')
  headers.set('access-control-expose-headers', EXPOSED)
  headers.delete('access-control-allow-credentials')
  return response
}
