import { TEST_SLUG } from '@heyline/back-office/client'
import type { Office } from '../office/office.js'
import { Badge, type BadgeTone } from '../ui/badge.js'
import { duration, money } from '../ui/formats.js'
import { Elapsed } from '../ui/values.js'
import { CALLS_TEXTS, OUTCOME_WORDS, STATE_WORDS } from './texts.js'

export type CallLine = Awaited<ReturnType<Office['calls']['search']>>['calls'][number]

const TONES: Record<CallLine['state'], BadgeTone> = {
  queued: 'wait',
  dialling: 'busy',
  ringing: 'busy',
  'in-progress': 'busy',
  unknown: 'wait',
  ended: 'good',
  refused: 'plain',
  failed: 'bad',
}

export const CallState = ({ state }: Pick<CallLine, 'state'>) => (
  <Badge tone={TONES[state]}>{STATE_WORDS[state]}</Badge>
)

/** Whose call it is: a visitor's slug, or that an operator tried the assistant. */
export const whoseWords = ({ slug }: Pick<CallLine, 'slug'>): string =>
  slug === TEST_SLUG ? CALLS_TEXTS.testCall : slug

/** What came of a call, in plain words. */
export const outcomeWords = (outcome: string | null): string =>
  outcome === null ? CALLS_TEXTS.notKnown : (OUTCOME_WORDS[outcome] ?? outcome)

/** `…71`, or that it was in the browser. */
export const placeWords = ({ kind, phone }: Pick<CallLine, 'kind' | 'phone'>): string =>
  kind === 'web' ? CALLS_TEXTS.browser : (phone ?? CALLS_TEXTS.notKnown)

/** How long they talked; it counts up while they do. */
export function TalkTime({
  state,
  inProgressAt,
  seconds,
}: Pick<CallLine, 'state' | 'inProgressAt' | 'seconds'>) {
  if (state === 'in-progress' && inProgressAt !== null) return <Elapsed since={inProgressAt} />
  return seconds === null ? CALLS_TEXTS.notKnown : duration(seconds)
}

/** What it cost; `up to $0.75` while that is only set aside. */
export function costWords({
  costMicrousd,
  reservedMicrousd,
}: Pick<CallLine, 'costMicrousd' | 'reservedMicrousd'>): string {
  if (costMicrousd !== null) return money(costMicrousd)
  return reservedMicrousd === null ? CALLS_TEXTS.notKnown : `${CALLS_TEXTS.upTo} ${money(reservedMicrousd)}`
}
