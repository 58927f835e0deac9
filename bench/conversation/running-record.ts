import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Db, migrate, openPglite, openPostgres } from '@heyline/database'
import { startPostgres } from '@heyline/database/testing'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { CallStore } from '../../packages/voice-platform/src/calls/call-store.js'
import { RunningRecord } from '../../packages/voice-platform/src/calls/running-record.js'
import { storable, transcriptOf } from '../../packages/voice-platform/src/calls/transcript.js'
import type { SessionMessage } from '../../packages/voice-platform/src/session/session.js'
import type { Database } from '../backend/filled-heyline.js'
import { limited } from '../report/limit.js'
import { type Figure, kB } from '../report/table.js'

const MINUTES = 30
const SECONDS_A_LINE = 6
/** Words of a call do not repeat, or Postgres would store them in no space at all. */
const CHARACTERS_A_LINE = 100
const PROMPT_CHARACTERS = 2_000
/** The most that a call may write, of what it writes where each write takes all that was said so far. */
const LIMIT = 0.1

const logger = pino({ level: 'silent' })
const FOLDER = fileURLToPath(new URL('../../supabase/', import.meta.url))

/** What a call of 30 minutes writes to the database's log, from its beginning to its end, to the same written whole again and again. */
export async function measureRunningRecord(database: Database): Promise<Figure[]> {
  const { db, close } = await openDatabase(database)
  try {
    await migrate(db, { folder: FOLDER })
    const store = new CallStore(db, crypto.randomUUID())
    const whole = await written(db, store, (id, said) => writeWhole(db, id, said))
    const clock = new ManualClock(0)
    const byLines = await written(db, store, (id, said) => writeLines(store, clock, id, said))
    return [
      limited({
        what: `a call of ${MINUTES} minutes, to the same written whole`,
        value: byLines / whole,
        limit: LIMIT,
        show: (ratio) => `${ratio.toFixed(3)} ×`,
        beside: `${kB(byLines)} and ${kB(whole)}`,
      }),
    ]
  } finally {
    await close()
  }
}

/** Writes what was said until now, once a second; resolves when it is stored. */
type WriteSecond = () => Promise<unknown>

/** Bytes of the log. */
async function written(
  db: Db,
  store: CallStore,
  begin: (id: string, said: readonly SessionMessage[]) => WriteSecond,
): Promise<number> {
  const { id } = await store.insert({ id: crypto.randomUUID(), type: 'webCall', assistant: {} })
  await store.begin(id)
  const said: SessionMessage[] = [line('system', 0, PROMPT_CHARACTERS)]
  const writeSecond = begin(id, said)
  // The first change of a page after a checkpoint takes the whole page: both begin with that.
  await db.exec('checkpoint')
  const from = await position(db)
  for (let second = 1; second <= MINUTES * 60; second += 1) {
    const count = second / SECONDS_A_LINE
    if (Number.isInteger(count)) said.push(line(count % 2 === 0 ? 'bot' : 'user', second, CHARACTERS_A_LINE))
    await writeSecond()
  }
  await store.end(id, {
    ...{ endedReason: 'customer-ended-call', startedAt: new Date(0), endedAt: new Date(MINUTES * 60_000) },
    messages: said,
  })
  return (await position(db)) - from
}

/** As it was before there were lines. */
function writeWhole(db: Db, id: string, said: readonly SessionMessage[]): WriteSecond {
  let count = 0
  return async () => {
    if (said.length === count) return
    count = said.length
    const messages = storable(said)
    await db.query(
      'update voice_platform.calls set messages = $2, transcript = $3, updated_at = now() where id = $1',
      [id, messages, transcriptOf(messages)],
    )
  }
}

function writeLines(
  store: CallStore,
  clock: ManualClock,
  id: string,
  said: readonly SessionMessage[],
): WriteSecond {
  let writing: Promise<unknown> | undefined
  new RunningRecord({
    messages: () => [...said],
    write: (change) => {
      writing = store.note(id, change)
      return writing
    },
    onFailed: (error) => {
      throw error
    },
    clock,
  })
  return async () => {
    clock.advance(1_000)
    await writing
    // Only then the record asks for its next second.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function line(role: SessionMessage['role'], second: number, characters: number): SessionMessage {
  const message = Array.from({ length: characters / 4 }, () => Math.random().toString(36).slice(2, 5)).join(
    ' ',
  )
  return { role, message, time: second * 1_000, secondsFromStart: second }
}

/** Where the log ends, in bytes from its beginning. */
async function position(db: Db): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  )
  return rows[0]?.bytes ?? Number.NaN
}

async function openDatabase(database: Database): Promise<{ db: Db; close(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'heyline-record-'))
  const postgres = database === 'Postgres' ? await startPostgres() : undefined
  const db = postgres
    ? await openPostgres({ url: postgres.url, logger })
    : await openPglite({ directory: join(directory, 'pglite'), logger })
  // Postgres cleans up by itself once a minute, which is none of what a call writes.
  if (postgres)
    for (const setting of ['alter system set autovacuum = off', 'select pg_reload_conf()'])
      await db.exec(setting)
  const close = async () => {
    await db.close()
    await postgres?.stop()
    rmSync(directory, { recursive: true })
  }
  return { db, close }
}
