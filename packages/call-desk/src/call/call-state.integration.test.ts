import type { Db } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CALL_STATES, type CallState } from '../index.js'
import { openDeskDb } from '../testing/desk.js'
import { CALL_MOVES, canMove, IN_FLIGHT_STATES, statesBefore } from './call-state.js'

/** Every move there is; all other pairs are refused. */
const allowed = new Set([
  'queued → dialling',
  'queued → refused',
  'queued → failed',
  'dialling → ringing',
  'dialling → in-progress',
  'dialling → ended',
  'dialling → failed',
  'dialling → unknown',
  'ringing → in-progress',
  'ringing → ended',
  'in-progress → ended',
  'unknown → ended',
  'unknown → failed',
])

describe('the states of a call request', () => {
  const pairs = CALL_STATES.flatMap((from) => CALL_STATES.map((to): [CallState, CallState] => [from, to]))

  it.each(pairs)('%s → %s', (from, to) => {
    expect(canMove(from, to)).toBe(allowed.has(`${from} → ${to}`))
    expect(statesBefore(to).includes(from)).toBe(canMove(from, to))
  })

  it('never lead back', () => {
    const reach = (from: CallState): CallState[] => CALL_MOVES[from].flatMap((to) => [to, ...reach(to)])
    for (const state of CALL_STATES) expect(reach(state)).not.toContain(state)
  })
})

describe('the states in the database', () => {
  let db: Db
  beforeAll(async () => {
    db = await openDeskDb()
  })
  afterAll(() => db.close())

  const insert = (state: string, phone: string) =>
    db.query(
      "insert into call_desk.call_requests (phone, slug, body_hash, state, refusal) values ($1, 'acme', '', $2, $3)",
      [phone, state, state === 'refused' ? 'paused' : null],
    )

  it('are the same', async () => {
    for (const [index, state] of CALL_STATES.entries()) await insert(state, `+1415555000${index}`)
    await expect(insert('placed', '+14155550009')).rejects.toMatchObject({ code: '23514' })
  })

  it.each(CALL_STATES)('%s keeps its number busy, or not', async (state) => {
    const phone = `+1415555010${CALL_STATES.indexOf(state)}`
    await insert(state, phone)
    const again = insert('queued', phone)
    if (IN_FLIGHT_STATES.includes(state)) await expect(again).rejects.toMatchObject({ code: '23505' })
    else await again
  })

  it('are shown to neither role of the REST wire', async () => {
    for (const role of ['anon', 'authenticated']) {
      const read = db.transaction(async (tx) => {
        await tx.exec(`set local role ${role}`)
        await tx.query('select id from call_desk.call_requests')
      })
      await expect(read).rejects.toMatchObject({ code: '42501' })
    }
  })
})
