import { CommandError } from '../terminal/command-error.js'
import { skipBlank } from './sql-statements.js'

const WORDS = ['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release']

/**
 * Throws a `CommandError` where one of the statements begins or ends a transaction. Each runs in one of its own, so that a
 * `rollback` would take nothing back.
 */
export function refuseTransactions(statements: string[]): void {
  for (const statement of statements) {
    const word = transactionWord(statement)
    if (word)
      throw new CommandError(
        'transaction',
        `"${word}" can't be used here, nothing of this input was run: each statement commits by itself; do $$ … $$ takes several as one`,
      )
  }
}

function transactionWord(statement: string): string | undefined {
  const { word, end } = wordAt(statement, 0)
  if (WORDS.includes(word)) return word
  return word === 'prepare' && wordAt(statement, end).word === 'transaction'
    ? 'prepare transaction'
    : undefined
}

function wordAt(text: string, from: number): { word: string; end: number } {
  const start = skipBlank(text, from)
  const word = /^\w*/.exec(text.slice(start, start + 20))?.[0] ?? ''
  return { word: word.toLowerCase(), end: start + word.length }
}
