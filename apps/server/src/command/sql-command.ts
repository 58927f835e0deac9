import { createInterface } from 'node:readline/promises'
import { DatabaseError, type Db, openPglite, type Result } from '@heyline/database'
import { openLog } from '../log.js'
import type { Settings } from '../settings/settings.js'
import { existingDatabase, refusePostgres, refuseRunning } from './db-command.js'
import { splitStatements } from './sql-statements.js'

/** Postgres's code for what can't run inside of a transaction, such as VACUUM. */
const ACTIVE_TRANSACTION = '25001'

/**
 * `heyline db sql [STATEMENT…]`: statements on a stopped server's PGlite, each a transaction of its own; without any, those
 * of standard input. With `--json` each answers with a line `{"rows","rowCount"}`.
 */
export async function sql(
  settings: Settings,
  words: string[],
  { json = false }: { json?: boolean },
): Promise<void> {
  refusePostgres(settings, 'psql does this for a Postgres')
  await refuseRunning(settings)
  const db = await openPglite({ directory: existingDatabase(settings), logger: openLog('warn') })
  try {
    if (words.length === 0) return await fromInput(db, json)
    const { statements, rest } = splitStatements(words.join(' '))
    for (const statement of [...statements, rest]) await run(db, statement, json)
  } finally {
    await db.close()
  }
}

/** On a terminal a statement that fails is told, and the next one may be given; elsewhere it ends the run. */
async function fromInput(db: Db, json: boolean): Promise<void> {
  const terminal = process.stdin.isTTY === true
  const lines = createInterface({ input: process.stdin, output: terminal ? process.stderr : undefined })
  const prompt = (text: string) => {
    lines.setPrompt(text)
    if (terminal) lines.prompt()
  }
  let pending = ''
  prompt('heyline=> ')
  for await (const line of lines) {
    const { statements, rest } = splitStatements(`${pending}${line}\n`)
    for (const statement of statements)
      await run(db, statement, json).catch((error: unknown) => {
        if (!terminal || !(error instanceof DatabaseError)) throw error
        console.error(`${error.code}: ${error.message}`)
      })
    pending = rest.trim() === '' ? '' : rest
    prompt(pending ? 'heyline-> ' : 'heyline=> ')
  }
  await run(db, pending, json)
}

async function run(db: Db, statement: string, json: boolean): Promise<void> {
  if (statement.trim() === '') return
  const result = await answerOf(db, statement)
  if (json) console.log(JSON.stringify(result))
  else console.log(tableOf(result))
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
  return text.replaceAll('\n', '\\n')
}
