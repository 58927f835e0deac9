import { DatabaseError, type Queryable } from '@heyline/database'
import { expect, it } from 'vitest'
import type { CallLines } from './call-lines.js'
import { lineWriter } from './line-writer.js'

/** A database that refuses the lines of call `b` with this error, and keeps which calls each statement was for. */
function writerTo(error: Error) {
  const statements: string[][] = []
  const db = {
    async query(_sql: string, [, given]: readonly unknown[] = []) {
      const calls = (Array.isArray(given) ? given : []).map(({ call }) => String(call))
      statements.push(calls)
      if (calls.includes('b')) throw error
      return { rows: [], rowCount: 0 }
    },
    exec: async () => {},
  } satisfies Queryable
  return { writer: lineWriter(db, 'us'), statements }
}
const lines = (callId: string): CallLines => ({ callId, dropped: [0, 0], from: 0, lines: [] })

it.each([
  [
    'others where those of one cannot be stored',
    new DatabaseError('bad', { code: '22P05' }),
    [3, 1, 1, 1],
    2,
  ],
  ['none, asked once, where the database is away', DatabaseError.stopped(undefined), [3], 0],
])('stores the lines of %s', async (_, error, asked, stored) => {
  const { writer, statements } = writerTo(error)
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((id) => writer.write(lines(id))))
  expect(statements.map(({ length }) => length)).toEqual(asked)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(stored)
})
