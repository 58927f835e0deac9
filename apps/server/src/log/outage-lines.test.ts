import { DatabaseError } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it, vi } from 'vitest'
import { openLog } from './log.js'
import { OutageLines } from './outage-lines.js'

const AWAY = new DatabaseError('connect ECONNREFUSED', { code: '08006' })

function logged() {
  const clock = new ManualClock()
  const outages = new OutageLines({ clock })
  const lines: { msg: string; level: number; seconds?: number; leftOut?: Record<string, number> }[] = []
  const log = openLog({ outages, out: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  const state = { isAway: true }
  const db = {
    query: async () => {
      if (state.isAway) throw AWAY
      return { rows: [], rowCount: 0 }
    },
  }
  const stop = outages.follow(db, log)
  const texts = () => lines.map(({ msg }) => msg)
  return { clock, log, lines, state, texts, stop }
}

it('tells an outage once of each place, and when it is over', async () => {
  const { clock, log, lines, state, texts } = logged()
  for (let tick = 0; tick < 100; tick++) {
    log.error({ reason: 'DatabaseError 08006' }, 'the call queue could not be read')
    log.child({ callId: 'a' }).warn({ err: new Error('not stored', { cause: AWAY }) }, 'heartbeat not stored')
    clock.advance(1_000)
  }
  expect(texts()).toEqual(['the call queue could not be read', 'heartbeat not stored'])
  state.isAway = false
  await vi.waitFor(() => {
    clock.advance(1_000)
    expect(texts()).toHaveLength(3)
  })
  expect(lines[2]).toMatchObject({
    msg: 'the database is back after 99 s; 198 more lines like those before were left out',
    seconds: 99,
    leftOut: { 'the call queue could not be read': 99, 'heartbeat not stored': 99 },
  })
  log.error({ err: AWAY }, 'the call queue could not be read')
  expect(texts().at(-1)).toBe('the call queue could not be read')
})

it('is not over while something still fails, though the database answers', async () => {
  const { clock, log, state, texts } = logged()
  state.isAway = false
  const readOnly = new DatabaseError('cannot execute INSERT in a read-only transaction', { code: '25006' })
  for (let beat = 0; beat < 20; beat++) {
    log.warn({ err: readOnly }, 'heartbeat not stored')
    clock.advance(5_000)
    await Promise.resolve()
  }
  expect(texts()).toEqual(['heartbeat not stored'])
})

it('leaves out nothing that the database is not at fault for', () => {
  const { log, texts } = logged()
  for (let time = 0; time < 3; time++) {
    log.error({ err: new DatabaseError('duplicate key', { code: '23505' }) }, 'refused')
    log.error({ reason: 'PlatformError 503' }, 'not placed')
    log.info('one line')
  }
  expect(texts()).toHaveLength(9)
})

it('counts lookups of pages to the outage of the database that they need, and to no other', () => {
  const { log, texts } = logged()
  const failure = Object.assign(new Error('read-failed'), { name: 'VisitorLookupError', code: 'read-failed' })
  const look = () => log.error({ err: failure }, 'a visitor lookup failed')
  look()
  look()
  log.error({ err: AWAY }, 'a REST request failed')
  look()
  look()
  expect(texts()).toEqual([
    'a visitor lookup failed',
    'a visitor lookup failed',
    'a REST request failed',
    'a visitor lookup failed',
  ])
})

it('tells apart only so many places', () => {
  const { log, texts } = logged()
  for (let place = 0; place < 1_000; place++) log.error({ err: AWAY }, `place ${place}`)
  expect(texts()).toHaveLength(200)
})

it('leaves no alarm behind when it is ended', () => {
  const { clock, log, stop } = logged()
  log.error({ err: AWAY }, 'lost')
  stop()
  expect(clock.pending).toBe(0)
})
