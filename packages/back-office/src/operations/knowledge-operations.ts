import { z } from 'zod'
import { created, json, LONG_PATIENCE_MS, operation } from './operation.js'

/** A file of 20 MB in base64, with its name. */
const LONGEST = 27_000_000
const LONGEST_NAME = 255

/** A query, because a stored slug may be any. */
const which = z.object({ slug: z.string().min(1) })
const whichFile = which.extend({ id: z.uuid() })
const noSlug = () => ({ code: 'invalid_visitor', message: 'Which visitor? Give its slug' })

const file = z.object({
  id: z.string(),
  name: z.string(),
  bytes: z.number(),
  /** `failed`: nothing is found in it. */
  status: z.enum(['processing', 'done', 'failed']),
  /** Why. */
  failure: z.string().nullable(),
  createdAt: z.string(),
})

/** What is taken, so that nobody sends 20 MB to be refused. */
const takes = z.object({
  /** Of names, without the dot. */
  endings: z.array(z.string()),
  /** Of one file. */
  mostBytes: z.number(),
})

/** The files that one visitor's calls look things up in. */
export const knowledgeOperations = {
  list: operation({
    method: 'GET',
    path: '/visitor/knowledge',
    summary: "The files of a visitor's own knowledge, the newest first",
    role: 'viewer',
    query: which,
    refusal: noSlug,
    answer: json(z.object({ slug: z.string(), files: z.array(file), takes })),
  }),
  add: operation({
    method: 'POST',
    path: '/visitor/knowledge',
    summary: "Adds a file to a visitor's own knowledge; one of the same name is replaced",
    role: 'editor',
    query: which,
    body: z.object({
      name: z.string().min(1).max(LONGEST_NAME),
      /** The file in base64: txt, md, html, pdf, docx or csv, 20 MB at most. */
      content: z.base64(),
    }),
    longest: LONGEST,
    refusal: (error) =>
      error.issues[0]?.path[0] === 'slug'
        ? noSlug()
        : { code: 'file_refused', message: 'Give a file by its name, and what it holds in base64' },
    answer: created(z.object({ slug: z.string(), file })),
    audit: 'knowledge_added',
    notes: ['slug'],
    patienceMs: LONG_PATIENCE_MS,
  }),
  remove: operation({
    method: 'DELETE',
    path: '/visitor/knowledge/file',
    summary: "Removes one file of a visitor's own knowledge",
    role: 'editor',
    query: whichFile,
    refusal: (error) =>
      error.issues[0]?.path[0] === 'slug'
        ? noSlug()
        : { code: 'file_not_found', message: 'Which file? Give its id, as the list has it' },
    answer: json(z.object({ slug: z.string(), file })),
    audit: 'knowledge_removed',
    notes: ['slug'],
  }),
  clear: operation({
    method: 'DELETE',
    path: '/visitor/knowledge',
    summary: "Removes all files of a visitor's own knowledge",
    role: 'editor',
    query: which,
    refusal: noSlug,
    answer: json(z.object({ slug: z.string(), removed: z.number() })),
    audit: 'knowledge_removed',
    notes: ['slug', 'removed'],
  }),
}
