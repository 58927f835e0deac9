import type { OpenString } from './open-string.js'

/** Body of `supportTickets.create`. */
export interface CreateSupportTicket {
  category: OpenString<'bug-report' | 'feature-request' | 'doc-update' | 'pricing' | 'sales' | 'others'>
  /** With category `bug-report`. */
  bugSubcategory?: OpenString<
    | 'call-forwarding'
    | 'tools-calling'
    | 'prompting'
    | 'workflows'
    | 'assistant'
    | 'latency'
    | 'assistant-speaks-slow'
    | 'assistant-doesnt-respond'
    | 'endpointing'
    | 'others'
  >
  /** 1–200 characters. */
  subject: string
  /** 10–5000 characters. */
  message: string
  /** Ids of the calls, addresses of their recordings; at most 1000 characters. */
  callDetails?: string
}

/** What is known of a ticket. */
export interface SupportTicket {
  id: string
}
