import {
  MOST_FOUND,
  newVisitor,
  REPLACEABLE,
  SEARCH_SORTS,
  visitorChanges,
  visitorRefusal,
} from '@heyline/backend/visitors'
import { MOST_CSV_FIELDS } from '@heyline/kit/csv-fields'
import { z } from 'zod'
import { FILE_COLUMNS } from '../csv/visitor-columns.js'
import { created, file, json, LONG_PATIENCE_MS, lines, operation } from './operation.js'
import { pageSize, wordList } from './query-fields.js'

/** A visitor with a long prompt, in bytes. */
const LONGEST = 1_000_000
/** Most slugs that are asked for at once. */
const MOST_SLUGS = 10_000
/** With some more of them, so that the schema says how many there may be. */
const VALUES_OF_SLUGS = 2 * MOST_SLUGS
const LIST_LIMIT = 1000
/** Most visitors on one page of what was found. */
const SEARCH_LIMIT = 200
/** Longest text that is looked for, in characters. */
const LONGEST_TEXT = 200
/** Longest CSV text, in bytes of a JSON string: twice that of the file, which is 10 MB at most. */
const LONGEST_CSV = 20_000_000

const listed = z.object({ slug: z.string(), name: z.string() })
const stored = listed.extend({
  system: z.string().nullable(),
  first_message: z.string().nullable(),
  /** Left out where the table has no such column (a hosted one). */
  listed: z.boolean().optional(),
})
/** What takes the change back, for a day; null where nothing does. Left out where no operator asked. */
const undoId = z.string().nullable().optional()
/** False where all was so before. Left out where nobody looked. */
const isChanged = z.boolean().optional()
/** The page's address. */
const link = z.string()
/** A query, because a stored slug may be any. */
const which = z.object({ slug: z.string().min(1) })

const columns = wordList(z.enum(REPLACEABLE))

const yesOrNo = z.enum(['yes', 'no']).optional()
const slugs = z.array(z.string().min(1)).min(1).max(MOST_SLUGS)
const noSlugs = () => ({ code: 'invalid_visitor', message: `Which visitors? Give 1 to ${MOST_SLUGS} slugs` })

const found = listed.extend({
  hasPrompt: z.boolean(),
  /** These two are left out where the table has no such column (a hosted one). */
  listed: z.boolean().optional(),
  createdAt: z.string().optional(),
  link,
})

const fileColumn = z.enum(FILE_COLUMNS)
const fileColumns = z.array(fileColumn.nullable()).max(MOST_CSV_FIELDS)
const previewRow = z.union([
  z.object({ line: z.number(), visitor: newVisitor, isStored: z.boolean() }),
  z.object({
    line: z.number(),
    reason: z.string(),
    fields: z.partialRecord(fileColumn, z.string()),
  }),
])

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
    isQuick: true,
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
    answer: json(stored.extend({ undoId, isChanged })),
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
    answer: json(listed.extend({ undoId })),
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
    mostValues: VALUES_OF_SLUGS,
    refusal: () => ({ code: 'invalid_visitor', message: 'Not a list of slugs' }),
    answer: json(z.array(z.string())),
    reads: true,
  }),
  import: operation({
    method: 'POST',
    path: '/visitors/import',
    summary: 'Stores all of the visitors, or none',
    role: 'editor',
    /** `undoId`: of the part before, where a large import comes in parts. */
    query: z.object({ replace: columns.optional(), undoId: z.uuid().optional() }),
    bodyLines: newVisitor,
    longest: LONGEST,
    refusal,
    answer: json(z.object({ added: z.number(), replaced: z.number(), undoId, isChanged })),
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
  search: operation({
    method: 'GET',
    path: '/visitors/search',
    summary: 'Visitors by a part of the slug or name, a page at a time',
    role: 'viewer',
    query: z.object({
      text: z.string().trim().max(LONGEST_TEXT).optional(),
      listed: yesOrNo,
      prompt: yesOrNo,
      sort: z.enum(SEARCH_SORTS).default('slug'),
      order: z.enum(['up', 'down']).default('up'),
      offset: z.coerce.number<number>().int().min(0).max(MOST_FOUND).default(0),
      limit: pageSize(SEARCH_LIMIT),
    }),
    answer: json(z.object({ visitors: z.array(found), total: z.number(), isMore: z.boolean() })),
  }),
  links: operation({
    method: 'POST',
    path: '/visitors/links',
    summary: 'The addresses of the pages of these slugs, in their order',
    role: 'viewer',
    body: z.object({ slugs }),
    longest: LONGEST,
    mostValues: VALUES_OF_SLUGS,
    refusal: noSlugs,
    answer: json(z.object({ links: z.array(link) })),
    reads: true,
    isQuick: true,
  }),
  privateSlug: operation({
    method: 'POST',
    path: '/visitors/private-slug',
    summary: 'Offers a slug that nobody guesses, for a name or for a slug',
    role: 'editor',
    body: z.object({ text: z.string().max(LONGEST_TEXT) }),
    answer: json(z.object({ slug: z.string() })),
    reads: true,
    isQuick: true,
  }),
  duplicate: operation({
    method: 'POST',
    path: '/visitor/duplicate',
    summary: 'Adds a visitor like this one, not listed and with a private slug',
    role: 'editor',
    query: which,
    refusal: noSlug,
    answer: created(listed.extend({ link })),
    audit: 'visitor_added',
    notes: ['slug'],
  }),
  removeMany: operation({
    method: 'POST',
    path: '/visitors/remove',
    summary: 'Removes those of the visitors that are there',
    role: 'editor',
    body: z.object({ slugs }),
    longest: LONGEST,
    mostValues: VALUES_OF_SLUGS,
    refusal: noSlugs,
    answer: json(z.object({ removed: z.number(), undoId })),
    audit: 'visitors_removed',
    notes: ['removed'],
    patienceMs: LONG_PATIENCE_MS,
  }),
  setListed: operation({
    method: 'POST',
    path: '/visitors/listed',
    summary: 'Lists visitors, or lists them no more',
    role: 'editor',
    body: z.object({ slugs, listed: z.boolean() }),
    longest: LONGEST,
    mostValues: VALUES_OF_SLUGS,
    refusal: noSlugs,
    answer: json(z.object({ changed: z.number(), undoId })),
    audit: 'visitors_listed',
    notes: ['changed'],
    patienceMs: LONG_PATIENCE_MS,
  }),
  previewImport: operation({
    method: 'POST',
    path: '/visitors/import/preview',
    summary: 'What an import of this CSV text would store, row by row',
    role: 'editor',
    body: z.object({
      csv: z.string().max(LONGEST_CSV / 2, 'A file has at most 10 MB: split it'),
      columns: fileColumns.optional(),
      private: z.boolean().optional(),
    }),
    longest: LONGEST_CSV,
    mostValues: 2 * MOST_CSV_FIELDS,
    refusal: (error) => ({
      code: 'invalid_visitor',
      message: error.issues[0]?.code === 'too_big' ? 'A file has at most 10 MB: split it' : 'Not a CSV text',
    }),
    answer: json(
      z.object({
        /** The parts of the file's first row, and what each is taken for. */
        header: z.array(z.string()),
        columns: fileColumns,
        rows: z.array(previewRow),
      }),
    ),
    reads: true,
    patienceMs: LONG_PATIENCE_MS,
    isQuick: true,
  }),
  exportCsv: operation({
    method: 'POST',
    path: '/visitors/export.csv',
    summary:
      'Visitors as a CSV file: those of the slugs, or all; safe for spreadsheets where that is asked for',
    role: 'editor',
    body: z.object({ slugs: slugs.optional(), safe: z.boolean().optional() }),
    longest: LONGEST,
    mostValues: VALUES_OF_SLUGS,
    refusal: noSlugs,
    answer: file('text/csv; charset=utf-8'),
    reads: true,
    audit: 'visitors_exported',
    patienceMs: LONG_PATIENCE_MS,
  }),
  previewPage: operation({
    method: 'POST',
    path: '/visitors/preview',
    summary: 'The page of a visitor who is not stored yet, as HTML without scripts',
    role: 'viewer',
    body: z.object({ name: z.string().max(1000), scheme: z.enum(['light', 'dark']) }),
    answer: json(z.object({ html: z.string() })),
    reads: true,
  }),
}
