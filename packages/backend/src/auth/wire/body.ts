import { shortJsonExcess } from '@heyline/kit/json-excess'
import { type BodyRefusals, readText } from '../../body-text.js'
import { AuthError } from './auth-error.js'

/** Largest body, in bytes. */
const BODY_LIMIT = 64_000

/** How deep arrays and objects may be inside each other. */
const DEPTH_LIMIT = 20
/** Most values of a body: anybody may send one, and many small ones keep everybody waiting for longer than a long text. */
const VALUES_LIMIT = 1_000

const REFUSALS: BodyRefusals = {
  tooLarge: () => new AuthError(413, 'validation_failed', `The body has more than ${BODY_LIMIT} bytes`),
  unreadable: (cause) => new AuthError(400, 'bad_json', 'The body broke off, or is not UTF-8', { cause }),
}

/** The JSON object of the body, of any content type; an empty body is an empty object. */
export async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request, BODY_LIMIT, REFUSALS)
  if (text === '') return {}
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AuthError(400, 'bad_json', 'The body has to be a JSON object')
  return { ...value }
}

function parse(text: string): unknown {
  const excess = shortJsonExcess(text, { nesting: DEPTH_LIMIT, values: VALUES_LIMIT })
  if (excess === 'values')
    throw new AuthError(413, 'validation_failed', `The body has more than ${VALUES_LIMIT} values`)
  if (excess === 'nesting')
    throw new AuthError(400, 'bad_json', `The JSON is more than ${DEPTH_LIMIT} levels deep`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AuthError(400, 'bad_json', 'Could not parse request body as JSON', { cause })
  }
}
