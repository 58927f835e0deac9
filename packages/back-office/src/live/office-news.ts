import type { OtherNews } from '@heyline/call-desk'
import { EVENTS_CHANNEL } from '@heyline/timeline'
import { TICKETS_CHANNEL } from '@heyline/voice-platform'
import { AUDIT_CHANNEL } from '../audit/audit.js'
import type { OfficeChange } from './office-change.js'

/** What a line of the audit says has changed, beside the audit itself. */
export const CHANGED: Readonly<Record<string, OfficeChange['event']>> = {
  visitor_added: 'visitors',
  visitor_changed: 'visitors',
  visitor_removed: 'visitors',
  visitors_removed: 'visitors',
  visitors_listed: 'visitors',
  visitors_imported: 'visitors',
  knowledge_added: 'visitors',
  knowledge_removed: 'visitors',
  undone: 'visitors',
  person_erased: 'visitors',
  owner_set_up: 'operators',
  operator_invited: 'operators',
  operator_role: 'operators',
  operator_removed: 'operators',
  operator_reset: 'operators',
  operator_factors_removed: 'operators',
  endpoint_added: 'endpoints',
  endpoint_changed: 'endpoints',
  endpoint_rotated: 'endpoints',
  endpoint_removed: 'endpoints',
  endpoint_replayed: 'endpoints',
  ticket_removed: 'tickets',
}

/** Each line of the audit, of any process, once it is stored. */
export const officeNews: OtherNews<OfficeChange> = {
  channel: AUDIT_CHANNEL,
  eventsOf(action) {
    const changed = CHANGED[action]
    return [...(changed ? [changed] : []), 'audit' as const].map((event) => ({ event, data: {} }))
  },
}

/** That something happened: the timeline. */
export const timelineNews: OtherNews<OfficeChange> = {
  channel: EVENTS_CHANNEL,
  eventsOf: () => [{ event: 'timeline', data: {} }],
}

/** That somebody wrote a support ticket. */
export const ticketNews: OtherNews<OfficeChange> = {
  channel: TICKETS_CHANNEL,
  eventsOf: () => [{ event: 'tickets', data: {} }],
}
