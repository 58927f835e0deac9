import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'

/** The NOTIFY channel on which a process asks another one whether it lives. The payload is that one's id. */
const CHANNEL = 'voice_platform_alive'
/** How long a process has for its answer, in milliseconds, and how often it is looked for. */
const ANSWER_MS = 2_000
const LOOK_MS = 250
/** A process that was not seen for this long does not judge others. */
const FRESH = '20 seconds'

export interface LostProcessesOptions {
  db: Db
  /** This process (a UUID). */
  processId: string
  /** Ends the open calls of a process that is no longer listed. */
  endCalls(processId: string): Promise<void>
  clock: Clock
  logger: Logger
}

/**
 * Finds out at once that a process was killed, whose lease would run on for seconds. Two things have to come together: nobody listens at
 * its address, and it does not answer a question that reaches it through the database. A process that is slow, or stands still, keeps
 * its address; one behind a firewall answers. Nobody is asked about whom this process has never reached.
 */
export class LostProcesses {
  readonly #options: LostProcessesOptions
  readonly #asked = new Map<string, Promise<boolean>>()
  #listening: Promise<() => Promise<void>> | undefined

  constructor(options: LostProcessesOptions) {
    this.#options = options
  }

  /** Answers the others from now on. */
  async start(): Promise<void> {
    this.#listening = this.#options.db.listen(CHANNEL, (processId) => void this.#answer(processId))
    await this.#listening
  }

  async close(): Promise<void> {
    const unlisten = await this.#listening?.catch(() => undefined)
    // A database that is away cannot be told, and need not be.
    await unlisten?.().catch(() => undefined)
  }

  /**
   * Whether a process that refused us is gone. If it is, its calls have ended. `isRefused` tries its address again. Never rejects: what
   * cannot be found out now is found out by its lease.
   */
  isGone(processId: string, isRefused: () => Promise<boolean>): Promise<boolean> {
    const known = this.#asked.get(processId)
    if (known) return known
    const asked = this.#ask(processId, isRefused)
      .catch((error: unknown) => {
        this.#options.logger.warn({ err: error }, 'it was not found out whether another server is gone')
        return false
      })
      .finally(() => this.#asked.delete(processId))
    this.#asked.set(processId, asked)
    return asked
  }

  async #ask(processId: string, isRefused: () => Promise<boolean>): Promise<boolean> {
    const { db, clock, endCalls, logger } = this.#options
    // As text: a Date has no microseconds. An answer may come within the same tick of the database's clock.
    const { rows } = await db.query<{ at: string }>('select now()::text as at, pg_notify($1, $2)', [
      CHANNEL,
      processId,
    ])
    const since = rows[0]?.at
    const until = clock.monotonic() + ANSWER_MS
    while (clock.monotonic() < until) {
      await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve))
      if (await this.#wasSeen(processId, since)) return false
    }
    if (!(await isRefused()) || !(await this.#strike(processId, since))) return false
    logger.warn({ processId }, 'another server is gone; its calls end')
    await endCalls(processId)
    return true
  }

  async #wasSeen(processId: string, since: string | undefined): Promise<boolean> {
    const { rows } = await this.#options.db.query(
      'select id from voice_platform.processes where id = $1 and seen_at >= $2::timestamptz',
      [processId, since],
    )
    return rows.length > 0
  }

  /** Takes it off the list, unless it has answered. True where it is not listed any more. */
  async #strike(processId: string, since: string | undefined): Promise<boolean> {
    const { db, processId: own } = this.#options
    await db.query(
      `delete from voice_platform.processes where id = $1 and seen_at < $2::timestamptz and exists (
         select from voice_platform.processes as own where own.id = $3 and own.seen_at > now() - interval '${FRESH}')`,
      [processId, since, own],
    )
    const { rows } = await db.query('select id from voice_platform.processes where id = $1', [processId])
    return rows.length === 0
  }

  async #answer(processId: string): Promise<void> {
    const { db, processId: own, logger } = this.#options
    if (processId !== own) return
    await db
      .query('update voice_platform.processes set seen_at = now() where id = $1', [own])
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'another server was not told that this one lives'),
      )
  }
}
