import { ticketHandlers } from '@heyline/back-office'
import { OPERATIONS } from '@heyline/back-office/operations'
import { Tickets } from '@heyline/voice-platform'
import { runningTickets, type TicketsPlace } from '../../tickets/running-tickets.js'
import type { CommandContext } from '../terminal/terminal.js'
import { refuseNowhere, withOwnDatabase } from './own-database.js'

/** Reaches the support tickets: at the running server, or, if no server runs, in the database itself. */
export async function withTickets(context: CommandContext, work: (tickets: TicketsPlace) => Promise<void>) {
  const { settings } = context
  refuseNowhere(settings, 'are no tickets')
  return withOwnDatabase<TicketsPlace>(
    context,
    {
      running: runningTickets,
      stopped: (db) => asked(ticketHandlers({ tickets: settings.platform ? undefined : new Tickets(db) })),
    },
    work,
  )
}

/** As the client of a running server has them. */
const asked = (handlers: ReturnType<typeof ticketHandlers>): TicketsPlace => ({
  list: (part) => handlers.list(OPERATIONS.tickets.list.query.parse(part ?? {})),
  show: (which) => handlers.show(which),
  remove: (which) => handlers.remove(which),
})
