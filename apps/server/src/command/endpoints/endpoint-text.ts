import type { AttemptPage, DeliveryPage, Endpoint } from '@heyline/timeline'
import { EVENT_TYPES } from '@heyline/timeline'
import { harmless, shortId, timeText } from '../terminal/terminal-text.js'

/** An endpoint in the columns of a list. */
export const endpointColumns = (endpoint: Endpoint): string[] => {
  const { id, name, kind, target, events, isDigest, disabledReason, pending, dead } = endpoint
  return [
    shortId(id),
    name,
    isDigest ? `${kind}, daily` : kind,
    target,
    events.length === EVENT_TYPES.length ? 'all events' : events.join(','),
    disabledReason === null ? 'enabled' : `disabled: ${disabledReason}`,
    `${pending} waiting`,
    `${dead} given up`,
  ].map(harmless)
}

/** What became of an event, in the columns of the log. */
export const deliveryColumns = (delivery: DeliveryPage['deliveries'][number]): string[] => {
  const { at, eventId, type, slug, state, attempts, runAt, error } = delivery
  return [
    timeText(at),
    eventId,
    type,
    slug ?? '-',
    runAt === null ? state : `${state} until ${timeText(runAt)}`,
    attempts === 1 ? '1 try' : `${attempts} tries`,
    state === 'delivered' ? '' : (error ?? ''),
  ].map(harmless)
}

/** A try, in the columns of the log. */
export const tryColumns = ({ at, eventId, type, slug, ms, error }: AttemptPage['attempts'][number]) =>
  [timeText(at), shortId(eventId), type, slug ?? '-', `${ms} ms`, error ?? 'delivered'].map(harmless)
