import type { Office } from '../office/office.js'
import { RUNNING } from './running.js'

type Asked = NonNullable<Parameters<Office['calls']['search']>[0]>

/** What the address says of the calls that are looked for. */
export interface CallsSearch {
  text?: string
  kind?: 'phone' | 'web' | 'chat'
  direction?: 'inbound' | 'outbound'
  state?: 'running' | 'ended' | 'refused' | 'failed'
  outcome?: string
  within?: '24h' | '7d' | '31d'
  /** They talked for so many seconds, or longer. */
  min?: '10' | '30' | '60' | '180'
}

const STATES = {
  running: RUNNING.join(','),
  ended: 'ended',
  refused: 'refused',
  failed: 'failed',
}
const HOUR_MS = 3_600_000
const WITHIN_MS = { '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS, '31d': 31 * 24 * HOUR_MS }

/** The same as the API takes it, at the time `now` (ms). */
export function callsAsked(
  { text, kind, direction, state, outcome, within, min }: CallsSearch,
  now: number,
): Asked {
  return {
    ...(text && { text }),
    ...(kind && { kind }),
    ...(direction && { direction }),
    ...(state && { states: STATES[state] }),
    // The server says so where it knows no such outcome.
    ...(outcome && { outcome: outcome as Asked['outcome'] }),
    ...(within && { since: new Date(now - WITHIN_MS[within]).toISOString() }),
    ...(min && { minSeconds: Number(min) }),
  }
}

/** Where the calls of a search are had as CSV. No number stands in it. */
export function csvAddress(search: CallsSearch, now: number): string {
  const asked = Object.entries(callsAsked(search, now)).map(([name, value]) => [name, String(value)])
  return `/-/office/calls/export.csv?${new URLSearchParams([...asked, ['safe', 'true']])}`
}
