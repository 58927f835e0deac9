import { z } from 'zod'

/** A ticket as a client writes it (https://docs.vapi.ai/api-reference). */
export const ticketSettings = z.strictObject({
  category: z.enum(['bug-report', 'feature-request', 'doc-update', 'pricing', 'sales', 'others']),
  bugSubcategory: z
    .enum([
      ...(['call-forwarding', 'tools-calling', 'prompting', 'workflows', 'assistant', 'latency'] as const),
      ...(['assistant-speaks-slow', 'assistant-doesnt-respond', 'endpointing', 'others'] as const),
    ])
    .optional(),
  subject: z.string().min(1).max(200),
  message: z.string().min(10).max(5000),
  callDetails: z.string().max(1000).optional(),
})
export type TicketSettings = z.output<typeof ticketSettings>

/** What a list says of a ticket. */
export interface TicketLine {
  id: string
  /** ISO 8601. */
  createdAt: string
  category: string
  /** Which part of the platform a bug is about. */
  bugSubcategory: string | null
  subject: string
  /** The operator who wrote it, as the audit names them; null where a key of the installation did. */
  writtenBy: string | null
}

/** A whole ticket. */
export interface Ticket extends TicketLine {
  message: string
  callDetails: string | null
}
