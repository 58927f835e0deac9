import * as z from 'zod/mini'

/** What an address says is read leniently: a value that makes no sense is as if it were not there. */
const lenient = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)

const word = <const Words extends readonly [string, ...string[]]>(words: Words) => lenient(z.enum(words))

/** What is searched for. A name or a slug, never a number: addresses are logged. */
const text = lenient(z.string().check(z.maxLength(200)))

export const visitorsSearch = z.object({
  text,
  sort: word(['name', 'slug', 'created']),
  listed: word(['yes', 'no']),
  prompt: word(['yes', 'no']),
  order: word(['asc', 'desc']),
  page: lenient(z.int().check(z.gte(1))),
})
