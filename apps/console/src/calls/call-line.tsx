import { TEST_SLUG } from '@heyline/back-office/client'
import type { Office } from '../office/office.js'
import { Badge, type BadgeTone } from '../ui/badge.js'
import { duration, money } from '../ui/formats.js'
import { Elapsed } from '../ui/values.js'
import { CALLS_TEXTS, COMING_IN, OUTCOME_WORDS, STATE_WORDS } from './texts.js'

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

/** What a call does, in a word or two. */
export const stateWords = ({ state, direction }: Pick<CallLine, 'state' | 'direction'>): string =>
  direction === 'inbound' && (state === 'dialling' || state === 'ringing') ? COMING_IN : STATE_WORDS[state]

export const CallState = (call: Pick<CallLine, 'state' | 'direction'>) => (
  <Badge tone={TONES[call.state]}>{stateWords(call)}</Badge>
)

/** Whose call it is: a visitor's slug, or that an operator tried the assistant, or that nobody knows. */
export const whoseWords = ({ slug }: Pick<CallLine, 'slug'>): string =>
  slug === TEST_SLUG ? CALLS_TEXTS.testCall : slug || CALLS_TEXTS.somebody

/** What came of a call, in plain words. */
export const outcomeWords = (outcome: string | null): string =>
  outcome === null ? CALLS_TEXTS.notKnown : (OUTCOME_WORDS[outcome] ?? outcome)

/** `…71`, and whether they called us, or that it was in the browser, or in writing. */
export function placeWords({
  kind,
  direction,
  phone,
}: Pick<CallLine, 'direction' | 'phone'> & { kind?: CallLine['kind'] }): string {
  if (direction === null) return kind === 'chat' ? CALLS_TEXTS.chat : CALLS_TEXTS.browser
  const number = phone ?? CALLS_TEXTS.notKnown
  return direction === 'inbound' ? CALLS_TEXTS.cameIn(number) : number
}

/** Who called whom; null for a call in the browser. */
export const directionWords = ({ direction }: Pick<CallLine, 'direction'>): string | null =>
  direction && (direction === 'inbound' ? CALLS_TEXTS.theyCalled : CALLS_TEXTS.weCalled)

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
