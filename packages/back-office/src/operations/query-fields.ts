import { z } from 'zod'

/** How long a page may be: `most` where nothing or more is asked for. */
export const pageSize = (most: number) =>
  z.coerce
    .number<number>()
    .int()
    .min(1)
    .default(most)
    .transform((size) => Math.min(size, most))

/** Of rows with numbers, the newest first: the `next` of the page before. */
export const pageBefore = z
  .string()
  .regex(/^\d{1,18}$/)
  .optional()

/** Words with commas between them. */
export const wordList = <Word extends z.ZodType<unknown, string>>(word: Word) =>
  z
    .string()
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .pipe(z.array(word))

/** A time, ISO 8601 in UTC, that Postgres has, too: it knows no year 0. */
export const moment = z.iso.datetime().regex(/^(?!0000)/)

/** Of a CSV file. `true`: no cell is a formula in a spreadsheet. */
export const isSafeCsv = z.enum(['true', 'false']).optional()
