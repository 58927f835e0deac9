import { liveEvent } from '@heyline/call-desk/records'
import { events, operation } from './operation.js'

export const liveOperations = {
  follow: operation({
    method: 'GET',
    path: '/live',
    summary: 'What changes, as it happens: calls as the list has them, and what stops all dialling',
    role: 'viewer',
    answer: events(liveEvent),
    patienceMs: Number.POSITIVE_INFINITY,
  }),
}
