import { DO_NOT_CALL_LIMIT, doNotCallPage } from '@heyline/call-desk/records'
import { z } from 'zod'
import { json, LONG_PATIENCE_MS, operation } from './operation.js'
import { pageSize } from './query-fields.js'

/** A file of numbers, in bytes. */
const LONGEST_FILE = 50_000_000
/** The million numbers that may be in one, as JSON. */
const LONGEST_IMPORT = 20_000_000
/** As many numbers, and what is around them. */
const MOST_IMPORTED = 1_100_000
/** As many as fit into a body without a bound of its own. */
const MOST_ADDED = 20_000

const number = z.object({ number: z.string() })
const numbers = z.object({ numbers: z.array(z.string()) })

/** Numbers travel in bodies, never in an address. */
export const doNotCallOperations = {
  list: operation({
    method: 'POST',
    path: '/do-not-call/list',
    summary: 'The numbers that are never called, page by page',
    role: 'editor',
    body: z.object({
      limit: pageSize(DO_NOT_CALL_LIMIT),
      after: z.string().optional(),
    }),
    answer: json(doNotCallPage),
    reads: true,
  }),
  add: operation({
    method: 'POST',
    path: '/do-not-call/add',
    summary: 'Puts numbers, in any international form, on the list: all of them or none',
    role: 'editor',
    body: numbers,
    mostValues: MOST_ADDED,
    answer: json(z.object({ numbers: z.array(z.string()), added: z.number() })),
    audit: 'do_not_call_added',
    notes: ['added'],
  }),
  remove: operation({
    method: 'POST',
    path: '/do-not-call/remove',
    summary: 'Takes a number off the list',
    role: 'editor',
    body: number,
    answer: json(number),
    audit: 'do_not_call_removed',
  }),
  previewImport: operation({
    method: 'POST',
    path: '/do-not-call/preview',
    summary: 'What a file of numbers holds: how many can be taken, and the lines that can not',
    role: 'editor',
    body: z.object({
      /** A number a line, or a CSV with a column `phone`. */
      csv: z.string(),
    }),
    longest: LONGEST_FILE,
    answer: json(
      z.object({
        /** In E.164, as `import` takes them. */
        numbers: z.array(z.string()),
        /** Those of them that are on the list already. */
        listed: z.number(),
        /** The first of them, and how many there are. */
        bad: z.array(z.object({ line: z.number(), reason: z.string() })),
        badCount: z.number(),
      }),
    ),
    reads: true,
    patienceMs: LONG_PATIENCE_MS,
    isQuick: true,
  }),
  import: operation({
    method: 'POST',
    path: '/do-not-call/import',
    summary: 'Puts numbers in E.164 on the list, in parts; none where one of them is no number',
    role: 'editor',
    body: numbers,
    listed: 'numbers',
    longest: LONGEST_IMPORT,
    mostValues: MOST_IMPORTED,
    answer: json(z.object({ added: z.number() })),
    audit: 'do_not_call_imported',
    notes: ['added'],
    patienceMs: LONG_PATIENCE_MS,
  }),
}
