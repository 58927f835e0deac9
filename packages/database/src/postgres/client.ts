import { Client } from 'pg'

/** Longest that a connection may take to be made, in ms. */
export const CONNECT_TIMEOUT_MS = 10_000

/**
 * How long a connection is still before the system asks whether the other end is there, in ms. Where it is not, the connection breaks some ten
 * seconds later; but where something sent is not acknowledged, as a statement, the system gives up after a quarter of an hour alone.
 */
export const KEEP_ALIVE_MS = 10_000

/** A connection beside the pool, still to be made. `name` is what Postgres shows of it. Where it breaks, its statement fails, and `end` follows. */
export function newClient(url: string, name: string): Client {
  const client = new Client({
    connectionString: url,
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  client.on('error', () => {})
  return client
}
