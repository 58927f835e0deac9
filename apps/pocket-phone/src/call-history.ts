import { Store } from '@heyline/kit/store'
import type { Notice, PhoneState, Ring } from './phone.js'

/** What became of a call, the weightiest first: of two pages that tell of one call, the weightier counts. */
const OUTCOMES = ['answered', 'cut-off', 'declined', 'failed', 'answered-elsewhere', 'missed'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** A call that is over. */
export interface HistoryEntry extends Ring {
  /** When it was over, in milliseconds since the epoch. */
  at: number
  outcome: Outcome
  /** How long people talked. */
  seconds?: number
}

/** How many calls are kept. */
const MOST_ENTRIES = 50

const KEY = 'heyline.pocket-phone.calls'

/** Where the history is kept: the browser's `localStorage`, or nowhere. */
export type HistoryStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The latest 50 calls, the newest first. They are kept in this browser and nowhere else, for all its pages, until somebody clears them.
 * A storage that fails leaves them to this page.
 */
export class CallHistory extends Store<readonly HistoryEntry[]> {
  readonly #storage: HistoryStorage | undefined

  constructor(storage: HistoryStorage | undefined) {
    super([])
    this.#storage = storage
    this.reload()
  }

  add(entry: HistoryEntry): void {
    this.reload()
    const known = this.get().find(({ callId }) => callId === entry.callId)
    if (known && weight(known) >= weight(entry)) return
    const others = this.get().filter(({ callId }) => callId !== entry.callId)
    this.set([entry, ...others].sort((one, other) => other.at - one.at).slice(0, MOST_ENTRIES))
    this.#try((storage) => storage.setItem(KEY, JSON.stringify(this.get())))
  }

  clear(): void {
    this.set([])
    this.#try((storage) => storage.removeItem(KEY))
  }

  /** Another page of this browser may have changed it. */
  reload(): void {
    this.#try((storage) => this.set(entriesOf(storage.getItem(KEY))))
  }

  #try(use: (storage: HistoryStorage) => void): void {
    try {
      if (this.#storage) use(this.#storage)
    } catch (error) {
      console.warn('The list of calls is kept in this page only:', error)
    }
  }
}

const weight = ({ outcome }: HistoryEntry): number => OUTCOMES.length - OUTCOMES.indexOf(outcome)

function entriesOf(text: string | null): HistoryEntry[] {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? '[]')
  } catch {
    return []
  }
  return Array.isArray(stored) ? stored.filter(isEntry).slice(0, MOST_ENTRIES) : []
}

function isEntry(entry: unknown): entry is HistoryEntry {
  if (typeof entry !== 'object' || entry === null) return false
  const { callId, from, to, at, outcome, seconds }: Partial<Record<keyof HistoryEntry, unknown>> = entry
  return (
    [callId, from, to].every((text) => typeof text === 'string') &&
    Number.isFinite(at) &&
    OUTCOMES.some((known) => known === outcome) &&
    (seconds === undefined || Number.isFinite(seconds))
  )
}

const RING_OUTCOMES: Partial<Record<Notice, Outcome>> = {
  declined: 'declined',
  'answered-elsewhere': 'answered-elsewhere',
}

/** The calls that a change of the phone has ended, as the history takes them. */
export function historyOf(before: PhoneState, after: PhoneState, at: number): HistoryEntry[] {
  const goesOn = ({ callId }: Ring) =>
    after.call?.callId === callId || after.rings.some((ring) => ring.callId === callId)
  const rings = before.rings
    .filter((ring) => !goesOn(ring))
    .map(({ callId, from, to }) => ({
      ...{ callId, from, to, at },
      outcome: RING_OUTCOMES[after.notice ?? 'no-answer'] ?? ('missed' as const),
    }))
  const { call } = before
  if (!call || goesOn(call)) return rings
  const { callId, from, to, talkingSince } = call
  const ended = { callId, from, to, at }
  if (talkingSince === undefined)
    return [...rings, { ...ended, outcome: after.notice === 'answered-elsewhere' ? after.notice : 'failed' }]
  const seconds = Math.max(0, Math.round((at - talkingSince) / 1000))
  return [...rings, { ...ended, seconds, outcome: after.notice === 'cut-off' ? 'cut-off' : 'answered' }]
}
