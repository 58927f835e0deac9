import { newVisitor, REPLACEABLE, visitorChanges, visitorRefusal } from '@heyline/backend/visitors'
import { z } from 'zod'
import { created, json, LONG_PATIENCE_MS, lines, operation, pageSize } from './operation.js'

/** A visitor with a long prompt, in bytes. */
const LONGEST = 1_000_000
/** Most slugs that are asked for at once. */
const MOST_SLUGS = 10_000
const LIST_LIMIT = 1000

const listed = z.object({ slug: z.string(), name: z.string() })
const stored = listed.extend({
  system: z.string().nullable(),
  first_message: z.string().nullable(),
  /** Left out where the table has no such column (a hosted one). */
  listed: z.boolean().optional(),
})
/** A query, because a stored slug may be any. */
const which = z.object({ slug: z.string().min(1) })

/** Column names, with commas between them. */
const columns = z
  .string()
  .transform((text) => text.split(',').filter((column) => column !== ''))
  .pipe(z.array(z.enum(REPLACEABLE)))

const refusal = (error: z.ZodError) => {
  switch (error.issues[0]?.path[0]) {
    case 'replace':
      return { code: 'invalid_visitor', message: `Only ${REPLACEABLE.join(', ')} can be replaced` }
    case 'changes':
      return visitorRefusal(error, 'changes of a visitor')
    default:
      return visitorRefusal(error)
  }
}
const noSlug = () => ({ code: 'invalid_visitor', message: 'Which visitor? Give its slug' })
const noChange = (error: z.ZodError) => (error.issues[0]?.path[0] === 'slug' ? noSlug() : refusal(error))

export const visitorOperations = {
  list: operation({
    method: 'GET',
    path: '/visitors',
    summary: 'A part of the visitors, by slug',
    role: 'viewer',
    query: z.object({
      limit: pageSize(LIST_LIMIT),
      after: z.string().optional(),
    }),
    answer: json(z.object({ visitors: z.array(listed), next: z.string().nullable() })),
  }),
  add: operation({
    method: 'POST',
    path: '/visitors',
    summary: 'Adds a visitor',
    role: 'editor',
    body: newVisitor,
    longest: LONGEST,
    refusal,
    answer: created(listed),
    audit: 'visitor_added',
    notes: ['slug'],
  }),
  show: operation({
    method: 'GET',
    path: '/visitor',
    summary: 'All that is stored of a visitor',
    role: 'viewer',
    query: which,
    refusal: noSlug,
    answer: json(stored),
  }),
  update: operation({
    method: 'PATCH',
    path: '/visitor',
    summary: 'Changes what is given of a visitor; an empty text is taken away',
    role: 'editor',
    query: which,
    body: z.object({ changes: visitorChanges }),
    longest: LONGEST,
    refusal: noChange,
    answer: json(stored),
    audit: 'visitor_changed',
    notes: ['slug'],
  }),
  remove: operation({
    method: 'DELETE',
    path: '/visitor',
    summary: 'Removes a visitor',
    role: 'editor',
    query: which,
    refusal: noSlug,
    answer: json(listed),
    audit: 'visitor_removed',
    notes: ['slug'],
  }),
  taken: operation({
    method: 'POST',
    path: '/visitors/taken',
    summary: 'Those of the slugs that are stored already; case does not count',
    role: 'editor',
    body: z.object({ slugs: z.array(z.string()).max(MOST_SLUGS) }),
    longest: LONGEST,
    refusal: () => ({ code: 'invalid_visitor', message: 'Not a list of slugs' }),
    answer: json(z.array(z.string())),
    reads: true,
  }),
  import: operation({
    method: 'POST',
    path: '/visitors/import',
    summary: 'Stores all of the visitors, or none',
    role: 'editor',
    query: z.object({ replace: columns.optional() }),
    bodyLines: newVisitor,
    longest: LONGEST,
    refusal,
    answer: json(z.object({ added: z.number(), replaced: z.number() })),
    audit: 'visitors_imported',
    notes: ['added', 'replaced'],
    patienceMs: LONG_PATIENCE_MS,
  }),
  export: operation({
    method: 'GET',
    path: '/visitors/export',
    summary: 'All visitors, by slug',
    role: 'editor',
    answer: lines(stored),
    audit: 'visitors_exported',
    patienceMs: LONG_PATIENCE_MS,
  }),
}
