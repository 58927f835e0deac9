import type { Office } from '../office/office.js'

type Asked = NonNullable<Parameters<Office['calls']['search']>[0]>

/** What the address says of the calls that are looked for. */
export interface CallsSearch {
  text?: string | undefined
  kind?: 'phone' | 'web' | undefined
  state?: 'running' | 'ended' | 'refused' | 'failed' | undefined
  outcome?: string | undefined
  within?: '24h' | '7d' | '31d' | undefined
  min?: string | undefined
}

const STATES = {
  running: 'queued,dialling,ringing,in-progress,unknown',
  ended: 'ended',
  refused: 'refused',
  failed: 'failed',
}
const HOUR_MS = 3_600_000
const WITHIN_MS = { '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS, '31d': 31 * 24 * HOUR_MS }

/** The same as the API takes it, at the time `now` (ms). */
export function callsAsked({ text, kind, state, outcome, within, min }: CallsSearch, now: number): Asked {
  return {
    ...(text && { text }),
    ...(kind && { kind }),
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
