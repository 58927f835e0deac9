import { expect, it } from 'vitest'
import { refuseTransactions } from './sql-transactions.js'

it.each([
  ['begin'],
  ['/* a /* b */ */ -- c\n RollBack', 'rollback'],
  ['prepare /* x */ transaction $$a$$', 'prepare transaction'],
  ['start transaction', 'start'],
  ['commit'],
  ['END', 'end'],
  ['abort'],
  ['savepoint a', 'savepoint'],
  ['release a', 'release'],
])('refuses %s', (statement, word = statement) => {
  expect(() => refuseTransactions(['select 1', statement])).toThrow(
    `"${word}" can't be used here, nothing of this input was run: each statement commits by itself`,
  )
})

it('takes what only looks like those', () => {
  const statements = [
    '',
    '-- begin',
    'prepare p as select 1',
    'select 1 as commit',
    'beginning',
    'do $$ begin end $$',
  ]
  expect(() => refuseTransactions(statements)).not.toThrow()
})
