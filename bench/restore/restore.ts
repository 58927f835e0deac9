import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Db, openPostgres } from '@heyline/database'
import { startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { type Database, FilledHeyline, SECRET } from '../backend/filled-heyline.js'
import { limited } from '../report/limit.js'
import { type Figure, quantile } from '../report/table.js'

const CALLS = 100_000
const BATCH = 5_000
/** Of a restore elsewhere, until the place is usable. */
const RESTORE_SECONDS = 300
/** Of a request beside a backup: who waits for PGlite waits while its files are copied. */
const WAIT_MS = 2_000
/** What a process may have at most, in MB: the database itself takes most of it. */
const MEMORY_MB = 600

const HEYLINE = fileURLToPath(new URL('../../apps/server/bin/heyline.js', import.meta.url))

/** Each with a transcript of two kilobytes, and its row at the platform, which tells the same. */
const FILL = `
  with calls as (
    select n, now() - n * interval '20 seconds' as at, (
      select string_agg(md5(n::text || ':' || k) || ' how can I help you today? ', '') from generate_series(1, 35) k) as said
    from generate_series($1::int, $2::int) n),
  stored as (
    insert into call_desk.call_requests (kind, phone, slug, state, outcome, body_hash, created_at, in_progress_at, ended_at, transcript)
    select 'phone', '+1415555' || lpad((n % 10000)::text, 4, '0'), 'visitor-' || n % 1000, 'ended', 'completed', 'x', at, at, at + interval '1 minute', said
    from calls returning id, created_at)
  insert into call_desk.ledger (request_id, at, reserved, spent) select id, created_at, 100000, 40000 from stored`

/** A backup of 100,000 calls beside a server that works, and its restore on an empty disk and in an empty database. */
export async function measureRestore(database: Database): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'heyline-bench-restore-'))
  const server = await FilledHeyline.start(database, 1_000, fill, { HEYLINE_SECRET: SECRET })
  const postgres = await startPostgres()
  const file = join(folder, 'heyline.backup')
  try {
    const stop = new AbortController()
    const waits = askOften(server, stop.signal)
    const backup = await run(['db', 'backup', file], server.environment)
    stop.abort()
    const waited = await waits
    const intoPglite = await run(['db', 'restore', file], { DATA_DIR: join(folder, 'pglite') })
    const intoPostgres = await run(['db', 'restore', file], {
      DATA_DIR: join(folder, 'postgres'),
      DATABASE_URL: postgres.url,
    })
    await checkCalls(postgres.url)
    const seconds = (value: number) => `${value.toFixed(1)} s`
    return [
      {
        what: 'a backup of 100,000 calls, beside a server',
        value: seconds(backup.seconds),
        beside: `a file of ${(statSync(file).size / 1e6).toFixed(0)} MB`,
      },
      limited({
        what: 'the longest wait of a page meanwhile',
        value: quantile(waited, 1),
        limit: WAIT_MS,
        show: (ms) => `${ms.toFixed(0)} ms`,
        beside: `half of ${waited.length} waited ${quantile(waited, 0.5).toFixed(0)} ms or less`,
      }),
      ...[
        { what: 'its restore into an empty PGlite', ran: intoPglite },
        { what: 'its restore into an empty Postgres', ran: intoPostgres },
      ].flatMap(({ what, ran }) => [
        limited({ what, value: ran.seconds, limit: RESTORE_SECONDS, show: seconds }),
        limited({
          what: `${what}: most memory`,
          value: ran.memory,
          limit: MEMORY_MB,
          show: (mb) => `${mb.toFixed(0)} MB`,
        }),
      ]),
    ]
  } finally {
    await server.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(db: Db) {
  for (let from = 1; from <= CALLS; from += BATCH)
    await db.transaction((tx) => tx.query(FILL, [from, from + BATCH - 1]), {
      patienceMs: Number.POSITIVE_INFINITY,
    })
  await db.exec('checkpoint')
}

/** How long each of the pages took that are asked for one after another until then, in ms. */
async function askOften(server: FilledHeyline, signal: AbortSignal): Promise<number[]> {
  const waits: number[] = []
  while (!signal.aborted) {
    const began = performance.now()
    const answer = await fetch(`${server.url}/${server.someSlug()}`)
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`A page was answered with ${answer.status}`)
    waits.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return waits
}

interface Ran {
  seconds: number
  /** Most resident memory, in MB; 0 where the system does not tell. */
  memory: number
}

/** Runs the command to its end, as a shell does. Throws where it fails. */
async function run(words: string[], environment: Record<string, string>): Promise<Ran> {
  const began = performance.now()
  const child = spawn(process.execPath, [HEYLINE, ...words], {
    env: { PATH: process.env.PATH, ENV_FILE: 'off', HEYLINE_SECRET: SECRET, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  let memory = 0
  const watching = setInterval(() => {
    memory = Math.max(memory, mostMemory(child))
  }, 50)
  const [code] = await once(child, 'close')
  clearInterval(watching)
  if (code !== 0) throw new Error(`heyline ${words.join(' ')} failed: ${err}`)
  return { seconds: (performance.now() - began) / 1000, memory }
}

function mostMemory({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return 0
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) / 1024
}

/** Throws where a call is missing. */
async function checkCalls(url: string) {
  const db = await openPostgres({ url, logger: pino({ level: 'silent' }) })
  try {
    const { rows } = await db.query<{ calls: number }>(
      'select count(*) as calls from call_desk.call_requests',
    )
    if (rows[0]?.calls !== CALLS) throw new Error(`${rows[0]?.calls} calls of ${CALLS} were restored`)
  } finally {
    await db.close()
  }
}
