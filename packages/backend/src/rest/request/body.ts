import { shortJsonExcess } from '@heyline/kit/json-excess'
import { type BodyRefusals, readText } from '../../body-text.js'
import { RestError } from '../../errors/rest-error.js'

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

/** The most that a body may have. */
export interface BodyLimits {
  bytes: number
  /** Objects, lists, texts and all other values: many small ones keep everybody waiting for longer than a long text. */
  values: number
}

/** Reads the body, JSON only, within these limits. `ifEmpty` is what an empty one stands for, where it may be empty. Rejects with a `RestError`. */
export async function readBody(request: Request, limits: BodyLimits, ifEmpty?: string): Promise<Body> {
  const type = request.headers.get('content-type')
  if (type !== null && !JSON_TYPE.test(type))
    throw new RestError('PGRST102', { status: 415, message: `Content-Type not acceptable: ${type}` })
  const { bytes, values } = limits
  const json = (await readText(request, bytes, refusalsAt(bytes))) || (ifEmpty ?? '')
  return { json, value: parse(json, values) }
}

const tooLarge = (limit: string): RestError =>
  new RestError('PGRST102', {
    status: 413,
    message: 'The request body is too large',
    details: `At most ${limit} are taken`,
  })

const refusalsAt = (limit: number): BodyRefusals => ({
  tooLarge: () => tooLarge(`${limit} bytes`),
  unreadable: (cause) => new RestError('PGRST102', { details: 'The body broke off, or is not UTF-8', cause }),
})

function parse(json: string, values: number): unknown {
  const excess = shortJsonExcess(json, { nesting: DEPTH_LIMIT, values })
  if (excess === 'values') throw tooLarge(`${values} values`)
  if (excess === 'nesting')
    throw new RestError('PGRST102', { details: `The JSON is more than ${DEPTH_LIMIT} levels deep` })
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new RestError('PGRST102', { cause })
  }
}
