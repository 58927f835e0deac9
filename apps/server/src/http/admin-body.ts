import { RecordsError } from '@heyline/call-desk'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'

/** Refuses a body of more than so many bytes, with a `RecordsError`. */
export const limitedTo = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new RecordsError('too_large', `More than ${maxSize} bytes at once: split it`)
    },
  })

/** The body, as the schema wants it. Rejects with a `RecordsError`. */
export const bodyOf = async <Schema extends z.ZodType>(
  schema: Schema,
  context: Context,
): Promise<z.output<Schema>> => parsed(schema, await context.req.json().catch(() => undefined))

/** What is wrong is told by its place alone: a value may be a number. Throws a `RecordsError`. */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const where = result.error.issues[0]?.path.join('.') || 'the body'
  throw new RecordsError('invalid_request', `${where} can not be read`)
}
