import { z } from 'zod'
import { json, LONG_PATIENCE_MS, operation } from './operation.js'

export const undoOperations = {
  apply: operation({
    method: 'POST',
    path: '/undo',
    summary: 'Takes back a change that the operator made in the last day, once',
    role: 'editor',
    body: z.object({ id: z.string().max(100) }),
    answer: json(
      z.object({
        what: z.string(),
        restored: z.number(),
        removed: z.number(),
        /** Visitors that somebody changed since, or whose slug is taken: they stay as they are. */
        left: z.number(),
      }),
    ),
    audit: 'undone',
    notes: ['what', 'restored', 'removed', 'left'],
    patienceMs: LONG_PATIENCE_MS,
  }),
}
