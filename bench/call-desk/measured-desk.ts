import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, openPglite, openPostgres } from '@heyline/database'
import { startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { CallingPlatform, type PlatformCall } from '../../apps/server/src/testing/calling-platform.js'
import { OPEN_GATE } from '../../apps/server/src/testing/open-gate.js'
import { RunningHeyline } from '../../e2e/running-heyline.js'
import type { Database } from '../backend/filled-heyline.js'

export const HOOK_SECRET = 'hook-secret-of-the-bench'

/** A server process with the whole gate, on a database of its own, and the platform that its calls are placed with. */
export class MeasuredDesk {
  readonly #heyline: RunningHeyline
  readonly #platform: CallingPlatform
  readonly #postgres: { url: string; stop(): Promise<void> } | undefined

  private constructor(
    heyline: RunningHeyline,
    platform: CallingPlatform,
    postgres: { url: string; stop(): Promise<void> } | undefined,
  ) {
    this.#heyline = heyline
    this.#platform = platform
    this.#postgres = postgres
  }

  /** `placed` hears of each call that the platform was asked for. */
  static async start(
    database: Database,
    placed: (call: PlatformCall, at: number) => void = () => {},
  ): Promise<MeasuredDesk> {
    const postgres = database === 'Postgres' ? await startPostgres() : undefined
    const platform = await CallingPlatform.start({ privateKey: 'private-key-of-the-bench', placed })
    try {
      const heyline = await RunningHeyline.start({
        ...OPEN_GATE,
        ...platform.settings(),
        PLATFORM_HOOK_SECRET: HOOK_SECRET,
        TRUST_PROXY: '1',
        ...(postgres && { DATABASE_URL: postgres.url }),
      })
      return new MeasuredDesk(heyline, platform, postgres)
    } catch (error) {
      await platform.stop()
      await postgres?.stop()
      throw error
    }
  }

  get url(): string {
    return this.#heyline.url
  }

  /** Asks the operator's API. */
  async office<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const { secret } = JSON.parse(readFileSync(join(this.#heyline.dataDirectory, 'keys.json'), 'utf8'))
    const answer = await fetch(`${this.url}/-/office${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return await answer.json()
  }

  /** Kills the process; `between` has its database until the next one starts. */
  async killed(between?: (db: Db) => Promise<void>): Promise<void> {
    await this.#heyline.end('SIGKILL')
    if (between) await this.#between(between)
    await this.#heyline.restart()
  }

  /** Ends the process, and looks at what it leaves. */
  async left<Found>(look: (db: Db) => Promise<Found>): Promise<Found> {
    await this.#heyline.end()
    return await this.#between(look)
  }

  async stop(): Promise<void> {
    await this.#heyline.stop()
    await this.#platform.stop()
    await this.#postgres?.stop()
  }

  /** PGlite is one process's alone. */
  async #between<Found>(look: (db: Db) => Promise<Found>): Promise<Found> {
    const logger = pino({ level: 'silent' })
    const db = this.#postgres
      ? await openPostgres({ url: this.#postgres.url, logger })
      : await openPglite({ directory: join(this.#heyline.dataDirectory, 'pglite'), logger })
    try {
      return await look(db)
    } finally {
      await db.close()
    }
  }
}
