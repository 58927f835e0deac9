import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, openPglite, openPostgres } from '@heyline/database'
import { findPostgres, startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { RunningHeyline } from '../../e2e/running-heyline.js'
import type { Figure } from '../report/table.js'

export const DATABASES = ['PGlite', 'Postgres'] as const
export type Database = (typeof DATABASES)[number]

/** What `measure` finds; a line that says so where this machine has no such database. */
export async function whereInstalled(
  database: Database,
  measure: (database: Database) => Promise<Figure[]>,
): Promise<Figure[]> {
  if (database === 'Postgres' && !findPostgres())
    return [
      {
        what: 'not measured',
        value: '',
        beside: "Postgres is not installed: Debian's package is called postgresql",
      },
    ]
  return await measure(database)
}

export const PUBLISHABLE_KEY = 'sb_publishable_of-the-bench'
export const SECRET_KEY = 'sb_secret_of-the-bench'
export const PRIVATE_KEY = 'private-key-of-the-bench'
/** Servers of one database derive their other keys from it (HEYLINE_SECRET). */
export const SECRET = 'secret-of-the-servers-of-the-bench'

/** Rows of one statement: well inside the time that a statement may take. */
const BATCH = 20_000

const FILL = `
  insert into public.visitors (slug, name, system, first_message)
  select
    'visitor-' || n,
    'Visitor ' || n,
    'You are the friendly receptionist of business number ' || n || '. We are open Monday to Friday from 8 am to 6 pm. '
      || 'Parking is free behind the building. Answer in one or two short sentences. '
      || 'When you do not know something, say so and offer to have somebody call back.',
    'Hello, this is business number ' || n || '. How can I help you today?'
  from generate_series($1::int, $2::int) n`

/** A server process on a database of its own, whose visitors are `visitor-1` to `visitor-N`, and what `fill` adds. */
export class FilledHeyline {
  readonly visitors: number
  /** From the last spawn of its process to its 'Heyline is ready', in ms. */
  startMs: number
  /** By which a command finds it and its database. */
  readonly environment: Record<string, string>
  readonly #heyline: RunningHeyline
  readonly #stopDatabase: () => Promise<void>

  private constructor(
    visitors: number,
    heyline: RunningHeyline,
    startMs: number,
    stopDatabase: () => Promise<void>,
  ) {
    this.visitors = visitors
    this.startMs = startMs
    this.environment = {
      DATA_DIR: heyline.dataDirectory,
      SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      SUPABASE_SECRET_KEY: SECRET_KEY,
      PLATFORM_PRIVATE_KEY: PRIVATE_KEY,
    }
    this.#heyline = heyline
    this.#stopDatabase = stopDatabase
  }

  static async start(
    database: Database,
    visitors = 0,
    fill: (db: Db) => Promise<void> = async () => {},
    environment: Record<string, string> = {},
  ): Promise<FilledHeyline> {
    const postgres = database === 'Postgres' ? await startPostgres() : undefined
    const stop = async () => postgres?.stop()
    try {
      const spawned = performance.now()
      const heyline = await RunningHeyline.start({
        SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
        SUPABASE_SECRET_KEY: SECRET_KEY,
        PLATFORM_PRIVATE_KEY: PRIVATE_KEY,
        ...(postgres && { DATABASE_URL: postgres.url }),
        ...environment,
      })
      const filled = new FilledHeyline(visitors, heyline, performance.now() - spawned, stop)
      if (postgres) filled.environment.DATABASE_URL = postgres.url
      if (visitors > 0) await filled.#fill(fill, postgres?.url)
      return filled
    } catch (error) {
      await stop()
      throw error
    }
  }

  get url(): string {
    return this.#heyline.url
  }

  /** The link that makes the first operator. */
  get setupLink(): string {
    return /\S+#setup=\S+/.exec(this.#heyline.output)?.[0] ?? ''
  }

  /** Of the server's process. */
  get pid(): number {
    const file = join(this.#heyline.dataDirectory, 'server.json')
    return Number(Reflect.get(Object(JSON.parse(readFileSync(file, 'utf8'))), 'pid'))
  }

  /** Processor time that the server's process has taken, in ms, in steps of 10. */
  get processorMs(): number {
    const ticks = this.#heyline.processorTicks
    if (ticks === undefined) throw new Error('This system does not tell the processor time of a process')
    return 10 * ticks
  }

  /** The slug of one of its visitors, drawn evenly. */
  someSlug(): string {
    return `visitor-${1 + Math.floor(Math.random() * this.visitors)}`
  }

  async restart() {
    await this.#heyline.end()
    const spawned = performance.now()
    await this.#heyline.restart()
    this.startMs = performance.now() - spawned
  }

  async stop() {
    await this.#heyline.stop()
    await this.#stopDatabase()
  }

  /** Over SQL, while the server is stopped: PGlite is one process's alone. */
  async #fill(fill: (db: Db) => Promise<void>, postgresUrl: string | undefined) {
    await this.#heyline.end()
    const db = await openDb(postgresUrl, this.#heyline.dataDirectory)
    try {
      for (let from = 1; from <= this.visitors; from += BATCH)
        await db.query(FILL, [from, Math.min(from + BATCH - 1, this.visitors)])
      await fill(db)
    } finally {
      await db.close()
    }
    await this.restart()
  }
}

function openDb(postgresUrl: string | undefined, dataDirectory: string): Promise<Db> {
  const logger = pino({ level: 'silent' })
  return postgresUrl
    ? openPostgres({ url: postgresUrl, logger })
    : openPglite({ directory: join(dataDirectory, 'pglite'), logger })
}
