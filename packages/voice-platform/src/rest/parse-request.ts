import { jsonExcess, MOST_NESTING } from '@heyline/kit/json-excess'
import { isStorable, UNSTORABLE_TEXT, unstorablePlace } from '@heyline/kit/storable'
import type { Context } from 'hono'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import { bodyText } from './bounded-body.js'
import { alternativesOf, closestIssues } from './closest-issues.js'

/** The most that a body may hold. */
interface BodySize {
  bytes: number
  /** Objects, lists, texts and all other values, with those that are in them. */
  values: number
}

/**
 * Most values of a body that comes with the private key or an operator's: a campaign of a thousand customers has thirty for each. Each takes some
 * microseconds until it is stored, and so long nobody else has a turn.
 */
export const MOST_VALUES = 30_000
const PRIVATE: BodySize = { bytes: 1_000_000, values: MOST_VALUES }

/** So many things that are wrong with a request are told: as many as anybody reads, however many there are. */
const MOST_TEXTS = 20
/** Longest part of a text that the client has chosen itself, in characters. */
const LONGEST_NAME = 200

/** Reads and checks a JSON body. Throws an `ApiError` that says what is wrong with it; neither the parser nor a schema sees one that is larger than it may be. */
export async function parseBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  most = PRIVATE,
): Promise<z.infer<Schema>> {
  return await parseText(await bodyText(request, most.bytes), schema, most.values)
}

/** Checks a JSON body that was read before. Throws an `ApiError`. */
export async function parseText<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  mostValues = PRIVATE.values,
): Promise<z.infer<Schema>> {
  let body: unknown
  try {
    const excess = await jsonExcess(text, { values: mostValues })
    if (excess === 'nesting')
      throw new ApiError(400, `The body is nested more than ${MOST_NESTING} levels deep.`)
    if (excess === 'values') throw new ApiError(400, `The body has more than ${mostValues} values.`)
    body = JSON.parse(text, storable)
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
  const place = unstorablePlace(parsed.data)
  if (place !== undefined) throw new ApiError(400, `${cut(place) || 'The input'} ${UNSTORABLE_TEXT}.`)
  return parsed.data
}

/** Takes each value as it is, and throws an `ApiError` for one that cannot be stored. */
function storable(key: string, value: unknown): unknown {
  if (!isStorable(key) || (typeof value === 'string' && !isStorable(value)))
    throw new ApiError(400, `The body ${UNSTORABLE_TEXT}.`)
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
  nonoptional: 'given',
}

/** Says what is wrong with a body, in the platform's own words where its support threads show them: the first twenty things. */
export const issueTexts = (issues: readonly Issue[]): string[] =>
  issues.slice(0, MOST_TEXTS).flatMap(textsOf).slice(0, MOST_TEXTS)

const cut = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name)

function textsOf(issue: Issue): string[] {
  const path = cut(issue.path.join('.'))
  const subject = path === '' ? 'body' : path
  if (issue.code === 'invalid_union') return textsOfUnion(issue, subject)
  if (isWritten(issue)) return [`${subject} ${issue.message}`]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, MOST_TEXTS)
        .map((key) => `${path === '' ? '' : `${path}.`}property ${cut(key)} should not exist`)
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
      return [`${subject} must be ${oneOf(issue.values.map(String))}`]
    case 'invalid_format':
      if (issue.format === 'regex') return [`${subject} ${issue.message}`]
      return [`${subject} must be ${issue.format === 'uuid' ? 'a UUID' : `a valid ${issue.format}`}`]
    default:
      return [`${subject} ${issue.message}`]
  }
}

const oneOf = (values: readonly string[]): string => `one of the following values: ${values.join(', ')}`

/** A schema's own words begin with a verb: those of the library with `Invalid`, `Too` or `Unrecognized`. */
const isWritten = ({ message }: Issue): boolean => /^[a-z]/.test(message)

function textsOfUnion(issue: Issue & { code: 'invalid_union' }, subject: string): string[] {
  if (issue.inclusive === false) return [`${subject} ${issue.message}`]
  const closest = closestIssues(issue.errors)
  if (closest) {
    const first = closest.slice(0, MOST_TEXTS)
    return issueTexts(first.map((one) => ({ ...one, path: [...issue.path, ...one.path] })))
  }
  if (isWritten(issue)) return [`${subject} ${issue.message}`]
  const { types, values } = alternativesOf(issue.errors)
  const known = [...values, ...(issue.options ?? []).map(String)]
  const named = types.map((type) => TYPE_NAMES[type] ?? type)
  return [`${subject} must be ${[...named, ...(known.length > 0 ? [oneOf(known)] : [])].join(' or ')}`]
}

const isText = ({ origin }: { origin: string }): boolean => origin === 'string'

const limit = (bound: number | bigint, issue: { origin: string }): string =>
  isText(issue) ? `${bound} characters` : String(bound)

const schema = z.strictObject({ id: z.uuid() })

/** The `{id}` of a path. Throws an `ApiError` 400 where it is not a UUID. */
export const resourceId = (context: Context): string => parse({ id: context.req.param('id') }, schema).id
