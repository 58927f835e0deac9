import { z } from 'zod'

/** The first of a list, where it has any. The others are not looked at: each that is wrong would cost a complaint, and there may be many. */
export const firstOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(z.unknown())
    .transform((list) => list[0])
    .pipe(schema.optional())
