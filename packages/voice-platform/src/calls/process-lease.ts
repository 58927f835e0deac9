import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { CallProgress } from './call-progress.js'
import type { CallRow } from './call-row.js'
import { BROKEN } from './conversations.js'

/** How often a process shows that it lives, in milliseconds. */
const HEARTBEAT_MS = 5_000

/** A process that was not seen for this long is gone. */
const GONE_AFTER = '20 seconds'

export interface ProcessLeaseOptions {
  db: Db
  /** This process (a UUID). */
  owner: string
  /** Where the other processes reach this one, `HOST:PORT`; undefined: nowhere. */
  relayAddress?: string | undefined
  progress: CallProgress
  /** The calls whose conversations this process holds. */
  held(): string[]
  /** Makes the carrier end a call that nobody held and that was ended here. */
  letGo(call: CallRow): void
  clock: Clock
  logger: Logger
}

/**
 * Tells living processes from dead ones. The calls of a dead process end with `worker-shutdown`. Calls of its own process that nobody
 * holds end too, as nobody else would end them. A process that stands still for longer than its lease keeps its conversations, but
 * their records end with `worker-shutdown`.
 */
export class ProcessLease {
  readonly #options: ProcessLeaseOptions
  #stopTimer: (() => void) | undefined
  #beating: Promise<void> = Promise.resolve()
  #ended = false

  constructor(options: ProcessLeaseOptions) {
    this.#options = options
  }

  /** Takes the lease, and ends what dead processes left behind. */
  async start(): Promise<void> {
    const { db } = this.#options
    // One process at a time has a PGlite directory, so every other one in the list is gone.
    if (db.kind === 'pglite') await db.query('delete from voice_platform.processes')
    await this.#beat()
    this.#schedule()
  }

  /** Stops the heartbeat. The next process ends the calls that are left. Never rejects. */
  async stop(): Promise<void> {
    this.#ended = true
    this.#stopTimer?.()
    await this.#beating
  }

  /** Gives the lease back. */
  async end(): Promise<void> {
    if (this.#ended) return
    await this.stop()
    await this.#options.db.query('delete from voice_platform.processes where id = $1', [this.#options.owner])
  }

  #schedule(): void {
    if (this.#ended) return
    this.#stopTimer = this.#options.clock.after(HEARTBEAT_MS, () => {
      this.#beating = this.#beat()
        .catch((error: unknown) => {
          this.#options.logger.warn({ err: error }, 'heartbeat not stored; it is tried again')
        })
        .then(() => this.#schedule())
    })
  }

  async #beat(): Promise<void> {
    const { db, owner, relayAddress, progress, held, letGo, logger } = this.#options
    await db.query(
      `insert into voice_platform.processes (id, relay_address) values ($1, $2)
       on conflict (id) do update set seen_at = now()`,
      [owner, relayAddress],
    )
    await db.query(`delete from voice_platform.processes where seen_at < now() - interval '${GONE_AFTER}'`)
    const abandoned = await progress.endAbandoned('worker-shutdown')
    if (abandoned.length > 0)
      logger.info({ count: abandoned.length }, 'ended calls of a process that is gone')
    const unheld = await progress.endUnheld(BROKEN, held())
    if (unheld.length > 0) logger.warn({ count: unheld.length }, 'ended calls that this process has lost')
    for (const call of [...abandoned, ...unheld]) letGo(call)
  }
}
