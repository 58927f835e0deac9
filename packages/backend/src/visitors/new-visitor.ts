import { z } from 'zod'
import { VisitorError, type VisitorErrorCode } from './visitor-error.js'

/** New slugs are strict, so that a link survives every mail program; rows that a hosted table already has may hold others. */
export const SLUG_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** Longest name, in characters. */
export const NAME_LIMIT = 200

/** Longest texts that the built-in voice platform takes, in characters. */
const SYSTEM_LIMIT = 100_000
const FIRST_MESSAGE_LIMIT = 10_000

const SLUG_RULE = 'A slug is a letter or digit, then letters, digits, - and _, up to 64 characters'

const newVisitor = z.strictObject({
  slug: z.string().regex(SLUG_PATTERN, SLUG_RULE),
  name: z
    .string()
    .trim()
    .min(1, 'A visitor needs a name')
    .max(NAME_LIMIT, `A name has at most ${NAME_LIMIT} characters`),
  /** System prompt of the assistant (spec 3); left out or empty for none. */
  system: z.string().max(SYSTEM_LIMIT, `A prompt has at most ${SYSTEM_LIMIT} characters`).optional(),
  /** The assistant's opening line (spec 3); left out or empty for none. */
  firstMessage: z
    .string()
    .max(FIRST_MESSAGE_LIMIT, `A first message has at most ${FIRST_MESSAGE_LIMIT} characters`)
    .optional(),
})

/** A visitor as it is added. */
export type NewVisitor = z.output<typeof newVisitor>

/** Checks a visitor that comes from outside. Throws a `VisitorError`. */
export function parseNewVisitor(input: unknown): NewVisitor {
  const parsed = newVisitor.safeParse(input)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const codes: Record<string, VisitorErrorCode> = { slug: 'invalid_slug', name: 'invalid_name' }
  const code = codes[String(issue?.path[0])] ?? 'invalid_visitor'
  const isOurText = code !== 'invalid_visitor' || issue?.code === 'too_big'
  const message = isOurText ? issue?.message : `Not a visitor: ${z.prettifyError(parsed.error)}`
  throw new VisitorError(code, message ?? 'Not a visitor', { cause: parsed.error })
}
