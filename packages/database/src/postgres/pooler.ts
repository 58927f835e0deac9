import { randomUUID } from 'node:crypto'
import { SettingError } from '@heyline/kit/setting-error'
import type { Client } from 'pg'
import { DatabaseError } from '../db/database-error.js'
import { newClient } from './client.js'

const CHANNEL = 'heyline_pooler'
/** How long a notification may take to come back, in ms. */
const HEARD_WITHIN_MS = 3_000
const HEARD_DIRECTLY_WITHIN_MS = 10_000

/** What is said where a pooler in transaction mode stands in between, and nothing leads past it. */
export const NEEDS_DIRECT_URL =
  'DATABASE_URL leads through a pooler in transaction mode, such as PgBouncer or port 6543 of Supabase, and notifications do not pass that: set DATABASE_DIRECT_URL to a connection past it, to the same database'

/**
 * Whether a pooler in transaction mode stands before the database: whoever answers is no Postgres, and a notification does not
 * come back to who listens. One in session mode hinders nothing.
 * @throws DatabaseError when the database can't be reached or refuses the login
 */
export async function isTransactionPooler(url: string): Promise<boolean> {
  return await withClient(url, async (ear) => {
    const { rows } = await ear.query<{ pid: number }>('select pg_backend_pid() as pid')
    // A pooler gives its clients a key of its own making.
    if (Reflect.get(ear, 'processID') === rows[0]?.pid) return false
    return await withClient(url, async (mouth) => !(await hears(ear, mouth, HEARD_WITHIN_MS)))
  })
}

/**
 * Throws a `SettingError` where what one URL notifies is not heard at the other: then they lead to two databases, or both through a pooler.
 * Nothing may be migrated there.
 */
export async function checkDirectUrl(url: string, directUrl: string): Promise<void> {
  const isHeard = await withClient(directUrl, (ear) =>
    withClient(url, (mouth) => hears(ear, mouth, HEARD_DIRECTLY_WITHIN_MS)),
  )
  if (!isHeard)
    throw new SettingError(
      'DATABASE_DIRECT_URL',
      'does not hear what DATABASE_URL notifies: it has to lead to the same database, past every pooler in transaction mode',
    )
}

async function hears(ear: Client, mouth: Client, withinMs: number): Promise<boolean> {
  const word = randomUUID()
  const heard = new Promise<true>((resolve) =>
    ear.on('notification', ({ payload }) => {
      if (payload === word) resolve(true)
    }),
  )
  await ear.query(`listen ${CHANNEL}`)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs)
  })
  try {
    const notified = mouth.query('select pg_notify($1, $2)', [CHANNEL, word])
    // With one connection for all, a pooler in session mode lets nobody speak while somebody listens.
    return await Promise.race([notified.then(() => heard), late])
  } finally {
    clearTimeout(timer)
    await ear.query(`unlisten ${CHANNEL}`)
  }
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = newClient(url, 'heyline-check')
  try {
    await client.connect()
    return await use(client)
  } catch (error) {
    throw error instanceof SettingError ? error : DatabaseError.from(error)
  } finally {
    await client.end().catch(() => {})
  }
}
