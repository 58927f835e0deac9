import { type BodyRefusals, readText } from '../../body-text.js'
import { RestError } from '../../errors/rest-error.js'
import { depthOf } from '../../json-depth.js'

/** Largest body of any request, in bytes. */
export const BODY_LIMIT = 1_000_000

/** How deep arrays and objects may be inside each other: Postgres reads JSON by recursion, and nobody needs more. */
const DEPTH_LIMIT = 100

const JSON_TYPE = /^application\/(json|vnd\.pgrst\.(array|object)(\+json)?)\s*(;|$)/i

/** JSON as it came, since numbers lose digits on the way through JavaScript, and what it says. */
export interface Body {
  json: string
  value: unknown
}

/** Reads the body, JSON only, of at most `limit` bytes. `ifEmpty` is what an empty one stands for, where it may be empty. */
export async function readBody(request: Request, limit: number, ifEmpty?: string): Promise<Body> {
  const type = request.headers.get('content-type')
  if (type !== null && !JSON_TYPE.test(type))
    throw new RestError('PGRST102', { status: 415, message: `Content-Type not acceptable: ${type}` })
  const json = (await readText(request, limit, refusalsAt(limit))) || (ifEmpty ?? '')
  return { json, value: parse(json) }
}

const refusalsAt = (limit: number): BodyRefusals => ({
  tooLarge: () =>
    new RestError('PGRST102', {
      status: 413,
      message: 'The request body is too large',
      details: `At most ${limit} bytes are taken`,
    }),
  unreadable: (cause) => new RestError('PGRST102', { details: 'The body broke off, or is not UTF-8', cause }),
})

function parse(json: string): unknown {
  if (depthOf(json) > DEPTH_LIMIT)
    throw new RestError('PGRST102', { details: `The JSON is more than ${DEPTH_LIMIT} levels deep` })
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new RestError('PGRST102', { cause })
  }
}
