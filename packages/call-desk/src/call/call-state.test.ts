import type { Db } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallState, callStates } from '../index.js'
import { openDeskDb } from '../testing/desk.js'
import { callMoves, canMove, inFlightStates, statesBefore } from './call-state.js'

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
  const pairs = callStates.flatMap((from) => callStates.map((to): [CallState, CallState] => [from, to]))

  it.each(pairs)('%s → %s', (from, to) => {
    expect(canMove(from, to)).toBe(allowed.has(`${from} → ${to}`))
    expect(statesBefore(to).includes(from)).toBe(canMove(from, to))
  })

  it('never lead back', () => {
    const reach = (from: CallState): CallState[] => callMoves[from].flatMap((to) => [to, ...reach(to)])
    for (const state of callStates) expect(reach(state)).not.toContain(state)
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
    for (const [index, state] of callStates.entries()) await insert(state, `+1415555000${index}`)
    await expect(insert('placed', '+14155550009')).rejects.toMatchObject({ code: '23514' })
  })

  it.each(callStates)('%s keeps its number busy, or not', async (state) => {
    const phone = `+1415555010${callStates.indexOf(state)}`
    await insert(state, phone)
    const again = insert('queued', phone)
    if (inFlightStates.includes(state)) await expect(again).rejects.toMatchObject({ code: '23505' })
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
