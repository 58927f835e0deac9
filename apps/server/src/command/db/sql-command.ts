import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { DatabaseError, type Db, openPglite, type Result } from '@heyline/database'
import { openLog } from '../../log/log.js'
import { existingDatabase, refusePostgres, refuseRunning } from '../place/stopped-database.js'
import type { CommandContext, Terminal } from '../terminal/terminal.js'
import { inSight } from '../terminal/terminal-text.js'
import { skipBlank, splitStatements } from './sql-statements.js'
import { converse } from './sql-terminal.js'
import { refuseTransactions } from './sql-transactions.js'

/** Postgres's code for what can't run inside of a transaction, such as VACUUM. */
const ACTIVE_TRANSACTION = '25001'

/**
 * `heyline db sql [STATEMENT…]`: statements on a stopped server's PGlite, each a transaction of its own; without any, those
 * of standard input, which is read to its end first (on a terminal, line by line). With `--json` each answers with a line `{"rows","rowCount"}`.
 */
export async function sql(
  { settings, terminal }: CommandContext,
  words: string[],
  { json = false }: { json?: boolean },
): Promise<void> {
  refusePostgres(settings, 'psql does this for a Postgres')
  await refuseRunning(settings)
  const db = await openPglite({
    directory: existingDatabase(settings),
    logger: openLog({ level: 'warn', out: terminal.err }),
  })
  try {
    const runAll = (statements: string[]) => run({ db, terminal, json }, statements)
    if (words.length > 0) await runAll(everyStatement(words.join(' ')))
    else if (terminal.input.isTTY) await onTerminal(terminal, runAll)
    else await runAll(everyStatement(await text(terminal.input)))
  } finally {
    await db.close()
  }
}

async function onTerminal(
  { input, err, error }: Terminal,
  run: (statements: string[]) => Promise<void>,
): Promise<void> {
  const lines = createInterface({ input, output: err })
  const prompt = (open: boolean) => {
    lines.setPrompt(open ? 'heyline-> ' : 'heyline=> ')
    lines.prompt()
  }
  await converse({ lines, run, prompt, complain: (line) => error(line) })
}

function everyStatement(sql: string): string[] {
  const { statements, rest } = splitStatements(sql)
  return [...statements, rest]
}

interface Run {
  db: Db
  terminal: Terminal
  json: boolean
}

/** None is run where one may not be; else one after another, up to the first that fails. */
async function run({ db, terminal, json }: Run, statements: string[]): Promise<void> {
  refuseTransactions(statements)
  for (const statement of statements) {
    if (skipBlank(statement) === statement.length) continue
    const result = await answerOf(db, statement)
    terminal.log(json ? JSON.stringify(result) : tableOf(result))
  }
}

async function answerOf(db: Db, statement: string): Promise<Result<Record<string, unknown>>> {
  try {
    return await db.transaction((tx) => tx.query(statement), { patienceMs: Number.POSITIVE_INFINITY })
  } catch (error) {
    if (error instanceof DatabaseError && error.code === ACTIVE_TRANSACTION) return db.query(statement)
    throw error
  }
}

function tableOf({ rows, rowCount }: Result<Record<string, unknown>>): string {
  const count = `(${rowCount} row${rowCount === 1 ? '' : 's'})`
  const names = Object.keys(rows[0] ?? {})
  if (names.length === 0) return count
  const cells = [names, ...rows.map((row) => names.map((name) => textOf(row[name])))]
  const widths = names.map((_, column) =>
    cells.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  )
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [lines[0], widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1), count].join('\n')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return inSight(text)
}
