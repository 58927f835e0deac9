import { expect, it } from 'vitest'
import { DatabaseError } from './database-error.js'

it('takes an error of the system for a lost connection, also one whose code has five letters', () => {
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', errno: -32, syscall: 'write' })
  expect(DatabaseError.from(broken)).toMatchObject({
    code: '08006',
    message: 'No connection to the database: write EPIPE',
    cause: broken,
  })
})
