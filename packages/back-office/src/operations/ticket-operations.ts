import { z } from 'zod'
import { json, operation } from './operation.js'
import { pageSize } from './query-fields.js'

/** Longest page. */
const TICKET_LIST_LIMIT = 100

const which = z.object({ id: z.uuid() })
const line = z.object({
  id: z.string(),
  createdAt: z.string(),
  /** `bug-report`, `pricing`, … */
  category: z.string(),
  /** Which part of the platform a bug is about. */
  bugSubcategory: z.string().nullable(),
  subject: z.string(),
  /** The operator who wrote it; null where a key of the installation did. */
  writtenBy: z.string().nullable(),
})
const noTicket = () => ({
  code: 'ticket_not_found',
  message: 'Which ticket? Give its id, as the list has it',
})

/** What clients of the voice platform's API wrote to the operators. A viewer sees none: it is free text, in which numbers and names stay readable. */
export const ticketOperations = {
  list: operation({
    method: 'GET',
    path: '/tickets',
    summary: 'A page of the support tickets, the newest first, without their messages',
    role: 'editor',
    query: z.object({
      limit: pageSize(TICKET_LIST_LIMIT),
      /** The `next` of the page before. */
      before: z
        .string()
        .regex(/^\d{1,14}_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
        .optional(),
    }),
    answer: json(z.object({ tickets: z.array(line), next: z.string().nullable() })),
  }),
  show: operation({
    method: 'GET',
    path: '/ticket',
    summary: 'A whole support ticket',
    role: 'editor',
    query: which,
    refusal: noTicket,
    answer: json(line.extend({ message: z.string(), callDetails: z.string().nullable() })),
    isQuick: true,
  }),
  remove: operation({
    method: 'DELETE',
    path: '/ticket',
    summary: 'Removes a support ticket, for ever',
    role: 'editor',
    query: which,
    refusal: noTicket,
    answer: json(z.object({ id: z.string() })),
    audit: 'ticket_removed',
    notes: ['id'],
  }),
}
