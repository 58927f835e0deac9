import { DatabaseError, type Queryable } from '@heyline/database'
import { expect, it } from 'vitest'
import type { CallLines } from './call-lines.js'
import { LineWriter } from './line-writer.js'

/** A database that refuses what `refuses` says, and keeps which calls each statement was for. */
function writerTo(refuses: (calls: string[]) => Error | undefined) {
  const statements: string[][] = []
  const db = {
    async query(_sql: string, [, given]: readonly unknown[] = []) {
      const calls = (Array.isArray(given) ? given : []).map(({ call }) => String(call))
      statements.push(calls)
      const error = refuses(calls)
      if (error) throw error
      return { rows: [], rowCount: 0 }
    },
    exec: async () => {},
  } satisfies Queryable
  return { writer: new LineWriter(db, 'us'), statements }
}
const lines = (callId: string): CallLines => ({ callId, dropped: [0, 0], from: 0, lines: [] })

it('writes together what comes within a moment, and what comes meanwhile after it', async () => {
  const { writer, statements } = writerTo(() => undefined)
  const first = ['a', 'b', 'c'].map((id) => writer.write(lines(id)))
  await Promise.all(first)
  await writer.write(lines('a'))
  expect(statements).toEqual([['a', 'b', 'c'], ['a']])
})

it('writes a hundred at once', async () => {
  const { writer, statements } = writerTo(() => undefined)
  await Promise.all(Array.from({ length: 150 }, (_, n) => writer.write(lines(String(n)))))
  expect(statements.map((calls) => calls.length)).toEqual([100, 50])
})

it('stores the others where those of one cannot be stored', async () => {
  const bad = new DatabaseError('bad', { code: '22P05' })
  const { writer, statements } = writerTo((calls) => (calls.includes('b') ? bad : undefined))
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((id) => writer.write(lines(id))))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(statements).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']])
})

it('asks a database that is away once for all', async () => {
  const { writer, statements } = writerTo(() => DatabaseError.stopped(undefined))
  const outcomes = await Promise.allSettled(['a', 'b'].map((id) => writer.write(lines(id))))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(statements).toHaveLength(1)
})
