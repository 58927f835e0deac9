import type { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import { issueTexts } from './issue-text.js'

/** Most bytes of a request's body. */
export const MAX_BODY_BYTES = 1_000_000

/** Text that Postgres cannot store in jsonb: NUL, and halves of surrogate pairs. */
const UNSTORABLE = /\0|\p{Surrogate}/u

/** Reads and checks a JSON body. Throws an `ApiError` that says what is wrong with it. */
export async function parseBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  let body: unknown
  try {
    body = JSON.parse(await request.text(), refuseUnstorable)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError(400, 'The body is not JSON.', { cause: error })
  }
  return parse(body, schema)
}

/** Checks what a client sent. Throws an `ApiError`. */
export function parse<Schema extends z.ZodType>(input: unknown, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(input)
  if (!parsed.success) throw new ApiError(400, issueTexts(parsed.error.issues))
  return parsed.data
}

function refuseUnstorable(key: string, value: unknown): unknown {
  if (UNSTORABLE.test(key) || (typeof value === 'string' && UNSTORABLE.test(value)))
    throw new ApiError(400, 'The body has characters that cannot be stored (NUL or half a surrogate pair).')
  return value
}
