import { z } from 'zod'
import { AuthError } from './auth-error.js'

/** An e-mail address, in lower case; without control characters, which no database and no mail takes. */
export const emailShape = z
  .string('An email address is required')
  .trim()
  .toLowerCase()
  .max(320, 'An email address has at most 320 characters')
  .regex(
    /^[^\s@\p{Cc}\p{Surrogate}]+@[^\s@\p{Cc}\p{Surrogate}]+$/u,
    'Unable to validate email address: invalid format',
  )

const INVALID_PHONE = 'Invalid phone number format (E.164 required)'

/** A telephone number as E.164, however it was written: spaces, dots, hyphens and brackets don't count, and the plus may be left out. */
export const phoneShape = z
  .string(INVALID_PHONE)
  .transform((text) => `+${text.replace(/[\s().-]/g, '').replace(/^\+/, '')}`)
  .refine((phone) => /^\+[1-9][0-9]{6,14}$/.test(phone), INVALID_PHONE)

/** A password as it is given at a sign-in: what may never be one is refused before it costs anything. */
export const givenPasswordShape = z
  .string('A password is required')
  .refine((password) => Buffer.byteLength(password) <= 512, 'A password has at most 512 bytes')

/** Most bytes of an account's metadata, as JSON in UTF-8. It travels in each access token, and headers have to stay small. */
const METADATA_LIMIT = 4_000

export const metadataShape = z.record(z.string(), z.unknown())

/** Metadata with changes: a null takes a field out. */
export function changedMetadata(
  kept: Record<string, unknown>,
  changes: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const merged = Object.fromEntries(
    Object.entries({ ...kept, ...changes }).filter(([, value]) => value !== null && value !== undefined),
  )
  if (Buffer.byteLength(JSON.stringify(merged)) > METADATA_LIMIT)
    throw new AuthError(422, 'validation_failed', `The metadata has more than ${METADATA_LIMIT} bytes`)
  return merged
}

/** The fields of a body or a query. Rejects with 400 `validation_failed`, whose message says what is wrong. */
export function readFields<Shape extends z.ZodType>(shape: Shape, fields: unknown): z.infer<Shape> {
  const read = shape.safeParse(fields)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw AuthError.invalid(issue?.message ?? 'The request does not read')
}

/** The id that stands in a path. `what` is its name. Anything but a UUID is not found. */
export function idOf(ids: readonly string[], place: number, what: string): string {
  const read = z.uuid().safeParse(ids[place])
  if (read.success) return read.data
  throw new AuthError(404, 'validation_failed', `${what} must be an UUID`)
}
