import { liveEvent } from '@heyline/call-desk/records'
import { z } from 'zod'
import { officeChange } from '../live/office-change.js'
import { events, operation } from './operation.js'

export const liveOperations = {
  follow: operation({
    method: 'GET',
    path: '/live',
    summary:
      'What changes, as it happens: calls as the list has them, what stops all dialling, and that visitors, operators, tickets or the audit changed',
    role: 'viewer',
    answer: events(z.discriminatedUnion('event', [...liveEvent.options, officeChange])),
    patienceMs: Number.POSITIVE_INFINITY,
  }),
}
