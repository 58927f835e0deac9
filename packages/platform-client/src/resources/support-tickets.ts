import type { CreateSupportTicket, SupportTicket } from '../api/support-ticket.js'
import type { RequestOptions } from '../request/request-options.js'

/** Questions to the people behind the platform. */
export interface SupportTickets {
  /** Opens a ticket. `POST /support/ticket` */
  create(body: CreateSupportTicket, options?: RequestOptions): Promise<SupportTicket>
}
