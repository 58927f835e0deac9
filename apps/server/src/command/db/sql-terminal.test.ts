import { DatabaseError } from '@heyline/database'
import { expect, it } from 'vitest'
import { converse } from './sql-terminal.js'
import { refuseTransactions } from './sql-transactions.js'

/** What is run, complained of and asked for, in order. A statement `fail` fails. */
async function talk(...typed: string[]): Promise<string[]> {
  const told: string[] = []
  await converse({
    lines: (async function* () {
      yield* typed
    })(),
    run: async (statements) => {
      refuseTransactions(statements)
      for (const statement of statements.map((text) => text.trim()).filter((text) => text !== '')) {
        if (statement === 'fail') throw new DatabaseError('it failed', { code: '42601' })
        told.push(`ran ${statement}`)
      }
    },
    prompt: (open) => told.push(open ? '->' : '=>'),
    complain: (line) => told.push(line),
  })
  return told
}

it('runs what is typed, over lines and to its end', async () => {
  expect(await talk('a; b', '; c')).toEqual(['=>', 'ran a', '->', 'ran b', '->', 'ran c'])
})

it('drops the rest of what was typed with a statement that fails, and goes on', async () => {
  expect(await talk('a; fail; b; c', 'd;')).toEqual(['=>', 'ran a', '42601: it failed', '=>', 'ran d', '=>'])
})

it('runs nothing of a line that begins a transaction, and goes on', async () => {
  expect(await talk('a; begin; b;', 'd;')).toEqual([
    '=>',
    expect.stringMatching(/^transaction: "begin" can't be used here/),
    '=>',
    'ran d',
    '=>',
  ])
})
