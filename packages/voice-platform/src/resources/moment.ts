import { z } from 'zod'

/** From the first year to the last that four digits can say: the database knows no year 0, and none as far off as JavaScript does. */
const YEARS = { first: 1, last: 9999 }

/** A moment in a request, in any form that JavaScript reads as a date. */
export const moment = z
  .string()
  .max(40)
  .transform((text) => new Date(text))
  .refine((time) => {
    const year = time.getUTCFullYear()
    return year >= YEARS.first && year <= YEARS.last
  }, 'must be a valid ISO 8601 date string')
