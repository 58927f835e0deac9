import type { ClientBase, CustomTypesConfig, QueryArrayConfig } from 'pg'
import { DatabaseError } from '../db/database-error.js'
import { encodeParameters } from '../db/parameters.js'
import { PreparedNames } from '../db/prepared-names.js'
import type { RawResult } from '../db/rows.js'

/** Every value stays the text that Postgres printed; `decodeResult` reads it, as for PGlite. */
const TEXT: CustomTypesConfig = { getTypeParser: () => (text: string) => text }

/** For how long a setting holds: for the rest of the session, or of the transaction alone. */
export type Scope = 'session' | 'local'

/** What must hold so that `decodeResult` can read what Postgres prints. */
const PRINTING = [
  'datestyle to iso',
  'bytea_output to hex',
  'extra_float_digits to 1',
  "timezone to 'UTC'",
] as const

/**
 * Every statement sees what was committed before it, whatever the login's or the database's default is: what is read after a lock was
 * waited for has to be of then, and nothing here tries a statement again that Postgres gave up with 40001.
 */
const ISOLATION = "set default_transaction_isolation to 'read committed'"

/** Longest that a setting of Postgres can say, in ms; 0 says no limit. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Has Postgres itself end what takes too long. Idle transactions are ended from here (`IdleLimit`), with an error that says why;
 * Postgres's own limit is for a process that is no longer there to do so.
 */
export function limits(patienceMs: number, scope: Scope, idleMs = patienceMs): string {
  const limit = (ms: number): number => (ms > LONGEST_MS ? 0 : Math.max(1, Math.ceil(ms)))
  return (
    `set ${scope} statement_timeout to ${limit(patienceMs)}; ` +
    `set ${scope} idle_in_transaction_session_timeout to ${limit(2 * idleMs)}`
  )
}

const printing = (scope: Scope) => PRINTING.map((setting) => `set ${scope} ${setting}`).join('; ')

/** What every connection of the pool begins with. */
export function sessionSettings(patienceMs: number): string {
  return `${printing('session')}; ${ISOLATION}; ${limits(patienceMs, 'session')}`
}

/** What a transaction begins with where the session belongs to others, too, as behind a pooler in transaction mode. */
export function beginWithSettings(patienceMs: number, idleMs = patienceMs): string {
  return `begin isolation level read committed; ${printing('local')}; ${limits(patienceMs, 'local', idleMs)}`
}

/** Every connection prepares for itself, and keeps only so many. */
const names = new WeakMap<ClientBase, PreparedNames>()

function namesOf(client: ClientBase): PreparedNames {
  const known = names.get(client) ?? new PreparedNames()
  names.set(client, known)
  return known
}

/** One statement over the extended protocol, with or without parameters, as PGlite runs it. */
export async function runStatement(
  client: ClientBase,
  sql: string,
  parameters: readonly unknown[],
  prepared = false,
): Promise<RawResult & { command: string }> {
  const name = prepared ? namesOf(client).of(sql) : undefined
  const config: QueryArrayConfig<(string | null)[]> & { queryMode: 'extended' } = {
    text: sql,
    values: encodeParameters(parameters),
    rowMode: 'array',
    types: TEXT,
    queryMode: 'extended',
    ...(name !== undefined && { name }),
  }
  const result = await client.query<(string | null)[]>(config).catch(fail)
  return {
    fields: result.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })),
    rows: result.rows,
    affected: result.rowCount ?? 0,
    command: result.command,
  }
}

/** A script of any number of statements, over the simple protocol. */
export async function runScript(client: ClientBase, sql: string): Promise<void> {
  await client.query({ text: sql, types: TEXT }).catch(fail)
}

/** Whether the session has a transaction open, failed or not. */
export function isInTransaction(client: ClientBase): boolean {
  const status = client.getTransactionStatus()
  return status === 'T' || status === 'E'
}

function fail(error: unknown): never {
  const failure = DatabaseError.from(error)
  // A connection that broke under a statement: nobody knows what became of it.
  throw failure.code === '08006' ? DatabaseError.stopped(error) : failure
}
