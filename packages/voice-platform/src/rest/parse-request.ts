import { isStorable } from '@heyline/kit/storable'
import type { Context } from 'hono'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import { boundedText } from './bounded-body.js'

/** Most bytes of a request's body, where the request has the private key. */
const MAX_BODY_BYTES = 1_000_000

/** Reads and checks a JSON body. Throws an `ApiError` that says what is wrong with it. */
export async function parseBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  mostBytes = MAX_BODY_BYTES,
): Promise<z.infer<Schema>> {
  let body: unknown
  try {
    body = JSON.parse(await boundedText(request, mostBytes), refuseUnstorable)
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
  if (!isStorable(key) || (typeof value === 'string' && !isStorable(value)))
    throw new ApiError(400, 'The body has characters that cannot be stored (NUL or half a surrogate pair).')
  return value
}

type Issue = z.core.$ZodIssue

const TYPE_NAMES: Record<string, string> = {
  object: 'an object',
  record: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean value',
}

/** Says what is wrong with a body, in the platform's own words where its support threads show them. */
export const issueTexts = (issues: readonly Issue[]): string[] => issues.flatMap(textsOf)

function textsOf(issue: Issue): string[] {
  const path = issue.path.join('.')
  const subject = path === '' ? 'body' : path
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => `${path === '' ? '' : `${path}.`}property ${key} should not exist`)
    case 'invalid_type':
      return [`${subject} must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`]
    case 'too_big':
      return [
        `${subject} must ${isText(issue) ? 'be shorter than or equal to' : 'not be greater than'} ${limit(issue.maximum, issue)}`,
      ]
    case 'too_small':
      return [
        `${subject} must ${isText(issue) ? 'be longer than or equal to' : 'not be less than'} ${limit(issue.minimum, issue)}`,
      ]
    case 'invalid_value':
      return [`${subject} must be one of the following values: ${issue.values.map(String).join(', ')}`]
    case 'invalid_format':
      if (issue.format === 'regex') return [`${subject} ${issue.message}`]
      return [`${subject} must be ${issue.format === 'uuid' ? 'a UUID' : `a valid ${issue.format}`}`]
    default:
      return [`${subject} ${issue.message}`]
  }
}

const isText = ({ origin }: { origin: string }): boolean => origin === 'string'

const limit = (bound: number | bigint, issue: { origin: string }): string =>
  isText(issue) ? `${bound} characters` : String(bound)

const schema = z.strictObject({ id: z.uuid() })

/** The `{id}` of a path. Throws an `ApiError` 400 where it is not a UUID. */
export const resourceId = (context: Context): string => parse({ id: context.req.param('id') }, schema).id
