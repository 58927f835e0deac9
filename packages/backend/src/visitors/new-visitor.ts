import { isOneLine } from '@heyline/kit/one-line'
import { isStorable } from '@heyline/kit/storable'
import { z } from 'zod'
import { VisitorError, type VisitorErrorCode } from './visitor-error.js'

/** Longest slug, in characters. */
export const SLUG_LIMIT = 64

/** New slugs are strict, so that a link survives every mail program; rows that a hosted table already has may hold others. */
export const SLUG_PATTERN = new RegExp(`^[A-Za-z0-9][A-Za-z0-9_-]{0,${SLUG_LIMIT - 1}}$`)

/** Longest name, in characters. */
const NAME_LIMIT = 200

/** Longest texts that the built-in voice platform takes, in characters. */
export const LONGEST_PROMPT = 100_000
export const LONGEST_FIRST_MESSAGE = 10_000

const SLUG_RULE = `A slug is a letter or digit, then letters, digits, - and _, up to ${SLUG_LIMIT} characters`

/** A text that Postgres can store. */
const storableText = (what: string) =>
  z.string().refine(isStorable, `${what} can't hold a NUL character, nor half of a surrogate pair`)

const slug = z.string().regex(SLUG_PATTERN, SLUG_RULE)
const name = storableText('A name')
  .trim()
  .min(1, 'A visitor needs a name')
  .max(NAME_LIMIT, `A name has at most ${NAME_LIMIT} characters`)
  .refine(
    isOneLine,
    'A name is one line: it holds no line breaks, tabs or other control characters, and none that turn the direction of text',
  )
const system = storableText('A prompt').max(
  LONGEST_PROMPT,
  `A prompt has at most ${LONGEST_PROMPT} characters`,
)
const firstMessage = storableText('A first message').max(
  LONGEST_FIRST_MESSAGE,
  `A first message has at most ${LONGEST_FIRST_MESSAGE} characters`,
)

/** A visitor as it is added. */
export const newVisitor = z.strictObject({
  slug,
  name,
  /** System prompt of the assistant (spec 3); left out or empty for none. */
  system: system.optional(),
  /** The assistant's opening line (spec 3); left out or empty for none. */
  firstMessage: firstMessage.optional(),
  /** Shown to every request, not only to one that names its slug; left out for no. */
  listed: z.boolean().optional(),
})

/** What is changed of a visitor; what is left out stays. */
export const visitorChanges = z
  .strictObject({
    /** A new slug: the page moves there, and the old link is not found any more. */
    slug: slug.optional(),
    name: name.optional(),
    /** Null or empty for none. */
    system: system.nullish(),
    firstMessage: firstMessage.nullish(),
    listed: z.boolean().optional(),
  })
  .refine(
    (changes) => Object.values(changes).some((value) => value !== undefined),
    'Nothing is to be changed',
  )

export type NewVisitor = z.output<typeof newVisitor>

export type VisitorChanges = z.output<typeof visitorChanges>

/** Checks a visitor that comes from outside. Throws a `VisitorError`. */
export const parseNewVisitor = (input: unknown): NewVisitor => parsed(newVisitor, input, 'a visitor')

/** Checks changes that come from outside: one at least. Throws a `VisitorError`. */
export const parseVisitorChanges = (input: unknown): VisitorChanges =>
  parsed(visitorChanges, input, 'changes of a visitor')

const CODES: Readonly<Record<string, VisitorErrorCode>> = { slug: 'invalid_slug', name: 'invalid_name' }

/** Why the input is no visitor, or no change of one. */
export function visitorRefusal(
  error: z.ZodError,
  what = 'a visitor',
): { code: VisitorErrorCode; message: string } {
  const issue = error.issues[0]
  const code = CODES[String(issue?.path.at(-1))] ?? 'invalid_visitor'
  const isOurText = code !== 'invalid_visitor' || issue?.code === 'too_big' || issue?.code === 'custom'
  const message = isOurText ? issue?.message : `Not ${what}: ${z.prettifyError(error)}`
  return { code, message: message ?? `Not ${what}` }
}

function parsed<Schema extends z.ZodType>(schema: Schema, input: unknown, what: string): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const { code, message } = visitorRefusal(result.error, what)
  throw new VisitorError(code, message, { cause: result.error })
}
