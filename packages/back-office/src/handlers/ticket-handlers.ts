import type { Tickets } from '@heyline/voice-platform'
import { OperatorsError } from '../operators/operators-error.js'
import type { HandlersOf } from './handlers.js'

export interface TicketParts {
  /** Undefined where a hosted platform keeps its own. */
  tickets: Pick<Tickets, 'page' | 'get' | 'remove'> | undefined
}

/** The support tickets of the built-in platform. */
export function ticketHandlers({ tickets }: TicketParts) {
  const kept = () => {
    if (tickets) return tickets
    throw new OperatorsError(
      'not_supported',
      'The hosted platform keeps its own tickets: ask there. With the built-in voice platform (PLATFORM_URL unset) they are here',
    )
  }
  const gone = () =>
    new OperatorsError(
      'ticket_not_found',
      'There is no such ticket: somebody may have removed it, or it was too old to be kept. Look at the list again',
    )
  return {
    list: async (part) => await kept().page(part),
    async show({ id }) {
      const ticket = await kept().get(id)
      if (ticket) return ticket
      throw gone()
    },
    async remove({ id }) {
      if (await kept().remove(id)) return { id }
      throw gone()
    },
  } satisfies HandlersOf<'tickets'>
}
