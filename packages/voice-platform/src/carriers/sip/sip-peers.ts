import type { Clock } from '@heyline/kit/clock'
import { Budget } from '../../work/budget.js'
import type { SipGlance } from './sip-glance.js'

/** Messages that are read: of each address with which we have a call, and of all others together. */
const OF_A_PEER = { perSecond: 100, atOnce: 200 }
const OF_STRANGERS = { perSecond: 20, atOnce: 40 }
/** Requests that begin, change and end one call, and all else of that call. */
const STEPS_OF_A_CALL = { perSecond: 2, atOnce: 10 }
const REST_OF_A_CALL = { perSecond: 20, atOnce: 40 }
const STEPS: ReadonlySet<string> = new Set(['INVITE', 'ACK', 'BYE', 'CANCEL'])

/** So many messages of an address are left to what is more urgent: by new calls; by answers and ends; by all else. */
const LEFT_BY_NEW_CALLS = 25
const LEFT_BY_ANSWERS = 50
const LEFT_BY_THE_REST = 100

interface StandingCall {
  uses: number
  steps: Budget
  rest: Budget
}

/**
 * The addresses and calls with which we have something to do, and what is read of them and of all others. One trunk brings the calls of many
 * people from one address, so each call has a small part of what its address may send. What names no call of ours has none, and uses up nothing
 * that is kept for calls that begin and end.
 */
export class SipPeers {
  readonly #clock: Clock
  readonly #known = new Map<string, { uses: number; budget: Budget }>()
  readonly #calls = new Map<string, StandingCall>()
  readonly #strangers: Budget

  constructor(clock: Clock) {
    this.#clock = clock
    this.#strangers = new Budget(clock, OF_STRANGERS)
  }

  has(address: string): boolean {
    return this.#known.has(address)
  }

  /** Counts messages of this address as those of a peer, until the returned function is called. */
  know(address: string): () => void {
    return hold(this.#known, address, () => ({ uses: 0, budget: new Budget(this.#clock, OF_A_PEER) }))
  }

  /** Counts messages with this Call-ID as those of one call, until the returned function is called. */
  stand(callId: string): () => void {
    return hold(this.#calls, callId, () => ({
      uses: 0,
      steps: new Budget(this.#clock, STEPS_OF_A_CALL),
      rest: new Budget(this.#clock, REST_OF_A_CALL),
    }))
  }

  /** Whether one more message of this address is read. It then counts. `glance` is called for known addresses only. */
  spend(address: string, glance: () => SipGlance): boolean {
    const budget = this.#known.get(address)?.budget
    if (!budget) return this.#strangers.spend()
    const { method = '', callId } = glance()
    const isStep = STEPS.has(method)
    const call = this.#calls.get(callId)
    if (call && !(isStep ? call.steps : call.rest).spend()) return false
    return budget.spend(1, { keeping: leftBy(method, call !== undefined) })
  }
}

/** `method` is empty for an answer. */
function leftBy(method: string, isOfCall: boolean): number {
  if (STEPS.has(method) && isOfCall) return 0
  if (method === 'INVITE') return LEFT_BY_NEW_CALLS
  return STEPS.has(method) || (method === '' && isOfCall) ? LEFT_BY_ANSWERS : LEFT_BY_THE_REST
}

/** Keeps an entry for one more user, until the returned function is called. */
function hold<Entry extends { uses: number }>(
  entries: Map<string, Entry>,
  name: string,
  create: () => Entry,
): () => void {
  const entry = entries.get(name) ?? create()
  entry.uses += 1
  entries.set(name, entry)
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    entry.uses -= 1
    if (entry.uses === 0) entries.delete(name)
  }
}
