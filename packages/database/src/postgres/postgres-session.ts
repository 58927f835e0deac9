import { DatabaseError } from '../db/database-error.js'
import type { Queryable } from '../db/db.js'
import { decodeResult } from '../db/rows.js'
import { newClient } from './client.js'
import { runScript, runStatement, sessionSettings } from './statement.js'

const CANCEL_EVERY_MS = 100

/** A connection of its own for `run`, outside of any transaction and without a limit of time: for what Postgres refuses in one. */
export async function withSession<T>(
  url: string,
  run: (session: Queryable) => Promise<T>,
  { signal, cancel }: { signal?: AbortSignal | undefined; cancel: (pid: number) => Promise<unknown> },
): Promise<T> {
  signal?.throwIfAborted()
  const client = newClient(url, 'heyline-session')
  const query: Queryable['query'] = async <Row>(sql: string, parameters: readonly unknown[] = []) =>
    await decodeResult<Row>(await runStatement(client, sql, parameters))
  const session: Queryable = { query, exec: (sql) => runScript(client, sql) }
  try {
    await client.connect().catch((error: unknown) => {
      throw DatabaseError.from(error)
    })
    await runScript(client, sessionSettings(Number.POSITIVE_INFINITY))
    const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
    let cancelling: ReturnType<typeof setInterval> | undefined
    // The end of a connection ends no statement. The first try may come between two statements.
    const abort = () => {
      cancelling = setInterval(() => void cancel(rows[0]?.pid ?? 0).catch(() => {}), CANCEL_EVERY_MS)
    }
    signal?.addEventListener('abort', abort, { once: true })
    try {
      signal?.throwIfAborted()
      return await run(session)
    } finally {
      signal?.removeEventListener('abort', abort)
      clearInterval(cancelling)
    }
  } finally {
    await client.end().catch(() => {})
  }
}
