import { OUTCOME_WORDS } from '../calls/texts.js'
import type { Office } from '../office/office.js'
import { duration, money } from '../ui/formats.js'
import { ACTOR_WORDS, CAME_IN_WORDS, EVENT_WORDS, FIELD_WORDS } from './texts.js'

export type EventLine = Awaited<ReturnType<Office['timeline']['list']>>['events'][number]

/** The visitor, Heyline, or the operator's address. */
export const actorWords = (actor: string): string => ACTOR_WORDS[actor] ?? actor

/** What happened, in plain words. */
export const eventWords = ({ type, payload }: Pick<EventLine, 'type' | 'payload'>): string =>
  (payload.direction === 'inbound' && CAME_IN_WORDS[type]) || EVENT_WORDS[type]

/** What else is known of an event, in plain words; nothing where nothing is. */
export function detailWords({ payload }: Pick<EventLine, 'payload'>): string {
  const { outcome, seconds, reason, kind, fields, formerSlug, budget, percent, limitMicrousd } = payload
  const parts = [
    typeof outcome === 'string' && (OUTCOME_WORDS[outcome] ?? plain(outcome)),
    typeof seconds === 'number' && seconds > 0 && duration(seconds),
    (kind === 'web' || kind === 'phone') && (kind === 'web' ? 'Browser' : 'Phone'),
    typeof reason === 'string' && plain(reason),
    Array.isArray(fields) && fields.map((field) => FIELD_WORDS[field] ?? String(field)).join(', '),
    typeof formerSlug === 'string' && `was ${formerSlug}`,
    typeof percent === 'number' &&
      typeof limitMicrousd === 'number' &&
      `${percent} % of ${money(limitMicrousd)} a ${budget}`,
  ]
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' · ')
}

/** `budget_exhausted` as `budget exhausted`. */
const plain = (code: string): string => code.replaceAll('_', ' ')
