import { z } from 'zod'

/** Most characters of a name, as on the hosted platform. */
const MOST = 40

/** What breaks a line, cannot be seen, or turns the direction of the text behind it. Visitors' names may not hold it either. */
const NOT_IN_ONE_LINE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u

/** The name of an assistant, a call or a token: people read it in lists and logs. */
export const resourceName = z
  .string()
  .max(MOST)
  .refine((text) => !NOT_IN_ONE_LINE.test(text), {
    error: 'must be one line of text, without control characters and without marks that turn its direction',
  })
