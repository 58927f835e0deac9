import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { Readiness } from '../drain/readiness.js'
import { Health } from './health.js'

function healthOf() {
  const clock = new ManualClock(0)
  const questions: { resolve(): void; reject(error: Error): void }[] = []
  const db: Pick<Db, 'kind' | 'query'> = {
    kind: 'pglite',
    query: () =>
      new Promise((resolve, reject) => {
        questions.push({ resolve: () => resolve({ rows: [], rowCount: 1 }), reject })
      }),
  }
  const readiness = new Readiness()
  const health = new Health({ db, prove: (nonce) => `proof of ${nonce}`, readiness, clock })
  const ask = async (nonce?: string) => {
    const answer = await health.answer(nonce)
    return { status: answer.status, body: await answer.json() }
  }
  return { clock, questions, readiness, ask }
}

it('asks the database once for all who ask at the same time, and within a second', async () => {
  const { clock, questions, ask } = healthOf()
  const many = Array.from({ length: 100 }, () => ask())
  expect(questions).toHaveLength(1)
  questions[0]?.resolve()
  for (const answer of await Promise.all(many))
    expect(answer).toEqual({
      status: 200,
      body: { status: 'ok', live: true, ready: true, database: 'pglite' },
    })
  clock.advance(999)
  expect(await ask('n')).toMatchObject({ status: 200, body: { status: 'ok', proof: 'proof of n' } })
  expect(questions).toHaveLength(1)
  clock.advance(1)
  const next = ask()
  expect(questions).toHaveLength(2)
  questions[1]?.reject(new Error('gone'))
  expect(await next).toMatchObject({ status: 503, body: { status: 'unavailable', live: true, ready: false } })
})

it('waits two seconds for the database, and then says that it is not ready', async () => {
  const { clock, ask } = healthOf()
  const asked = ask()
  clock.advance(2_000)
  expect(await asked).toMatchObject({ status: 503 })
})

it('is not ready while there is a reason, and names it', async () => {
  const { questions, readiness, ask } = healthOf()
  const reason = { code: 'draining', message: 'The server is about to stop.' }
  const takeBack = readiness.state(reason)
  const asked = ask()
  questions[0]?.resolve()
  expect(await asked).toMatchObject({ status: 503, body: { live: true, ready: false, reasons: [reason] } })
  takeBack()
  expect(await ask()).toMatchObject({ status: 200, body: { ready: true } })
})
