import type { Hono } from 'hono'
import { ticketSettings } from '../tickets/ticket.js'
import type { Tickets } from '../tickets/tickets.js'
import type { Doorkeeper } from './access.js'
import { parseBody } from './parse-request.js'

export interface TicketRoutes {
  tickets: Tickets
  doorkeeper: Doorkeeper
}

/** `POST /support/ticket`: kept for the operators, who read it in the console. The answer has the id alone. */
export function serveTickets(app: Hono, { tickets, doorkeeper }: TicketRoutes): void {
  app.post('/support/ticket', async (context) => {
    const { member } = await doorkeeper.admit(context.req.raw, 'private')
    const ticket = await parseBody(context.req.raw, ticketSettings)
    await doorkeeper.takeTurn(context.req.raw)
    return context.json({ id: await tickets.keep(ticket, member?.name) }, 201)
  })
}
