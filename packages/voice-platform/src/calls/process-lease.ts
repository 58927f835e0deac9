import { type Db, hasCome } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { CallProgress } from './call-progress.js'
import type { CallRow } from './call-row.js'
import { BROKEN } from './conversations.js'

/** How often a process shows that it lives, in milliseconds. */
const HEARTBEAT_MS = 5_000

/** The same after a beat that was not stored. */
const AGAIN_MS = 1_000

/** A beat that was not answered for so long is followed by the next one, in milliseconds: its connection may be dead. */
const ANSWER_MS = 5_000

/** Most beats that wait for an answer. */
const UNANSWERED_MOST = 5

/** A process that was not seen for this long is gone. */
const TERM_MS = 20_000

/**
 * Most time between two beats of a process that sees the database without a gap, in milliseconds. After an outage that leaves no gap in one
 * process's beats, all others have shown themselves before their terms are over: the last beat is up to `HEARTBEAT_MS` older there, and the next
 * one comes up to `ANSWER_MS` and `AGAIN_MS` later.
 */
const GAP_MS = 8_000

/** The platform's reason for calls whose process is gone. */
const GONE = 'worker-shutdown'

export interface ProcessLeaseOptions {
  db: Db
  /** This process (a UUID). */
  owner: string
  /** Where the other processes reach this one, `HOST:PORT`; undefined: nowhere. */
  relayAddress?: string | undefined
  progress: CallProgress
  /** The calls whose conversations this process holds, those that are about to be stored included. */
  held(): string[]
  /** Those of them that go on. */
  running(): string[]
  /** Ends a conversation of this process, whose call another process has ended. */
  end(callId: string, reason: string): void
  /** Makes the carrier end a call that nobody holds, or that another process has ended. */
  letGo(call: Pick<CallRow, 'id' | 'type'>): void
  clock: Clock
  logger: Logger
}

/**
 * Tells living processes from dead ones, by the database's clock. The calls of a dead process end with `worker-shutdown`. A process takes
 * others for dead only after it has itself shown that it lives for a whole term without a gap. So after an outage of the database, all
 * processes have the time to show themselves. Calls of its own process that nobody holds end too, as nobody else would end them. A process that
 * was stopped for longer than its term finds its calls ended: it ends their conversations, and their records stay as they are.
 */
export class ProcessLease {
  readonly #options: ProcessLeaseOptions
  readonly #beats = new Set<Promise<void>>()
  #stopTimer = () => {}
  #ended = false
  /** The last beat, and the first since the last gap: milliseconds of the database's clock. */
  #seenAt: number | undefined
  #freshSince = 0
  #isFailing = false
  /** Milliseconds without a beat, where others have taken this process for gone and its calls were not looked at yet. */
  #silentMs: number | undefined

  constructor(options: ProcessLeaseOptions) {
    this.#options = options
  }

  /** Takes the lease, and ends what dead processes left behind. */
  async start(): Promise<void> {
    const { db } = this.#options
    // One process at a time has a PGlite directory, so every other one in the list is gone.
    if (db.kind === 'pglite') await db.query('delete from voice_platform.processes')
    await this.#beat()
    this.#schedule(HEARTBEAT_MS)
  }

  /** Stops the heartbeat. The next process ends the calls that are left. Never rejects. */
  async stop(): Promise<void> {
    this.#ended = true
    this.#stopTimer()
    await Promise.all(this.#beats)
  }

  /** Gives the lease back. */
  async end(): Promise<void> {
    if (this.#ended) return
    await this.stop()
    await this.#options.db.query('delete from voice_platform.processes where id = $1', [this.#options.owner])
  }

  #schedule(afterMs: number): void {
    if (this.#ended) return
    const { clock } = this.#options
    this.#stopTimer = clock.after(afterMs, () => {
      if (this.#beats.size >= UNANSWERED_MOST) return this.#schedule(AGAIN_MS)
      let isNext = true
      const goOn = (ms: number) => {
        if (isNext) this.#schedule(ms)
        isNext = false
        stopWaiting()
      }
      const stopWaiting = clock.after(ANSWER_MS, () => goOn(0))
      const beat = this.#beat()
        .then(() => this.#stored())
        .catch((error: unknown) => this.#failed(error))
        .then((waitMs) => {
          this.#beats.delete(beat)
          goOn(waitMs)
        })
      this.#beats.add(beat)
    })
  }

  #stored(): number {
    if (this.#isFailing) this.#options.logger.info('the heartbeat is stored again')
    this.#isFailing = false
    return HEARTBEAT_MS
  }

  /** Logs the first failure in a row. */
  #failed(error: unknown): number {
    if (!this.#isFailing) this.#options.logger.warn({ err: error }, 'heartbeat not stored; it is tried again')
    this.#isFailing = true
    return AGAIN_MS
  }

  async #beat(): Promise<void> {
    const { db, progress, held, letGo, logger } = this.#options
    await this.#show()
    await this.#endTaken()
    if (this.#seenAt !== undefined && this.#seenAt - this.#freshSince >= TERM_MS)
      await db.query(
        // What a clock that ran ahead has seen is not seen any more: who lives has shown it since the clock was put right.
        `delete from voice_platform.processes where seen_at < now() - $1::float8 * interval '1 ms' or not (${hasCome('seen_at')})`,
        [TERM_MS],
      )
    const abandoned = await progress.endAbandoned(GONE)
    if (abandoned.length > 0)
      logger.info({ count: abandoned.length }, 'ended calls of a process that is gone')
    const unheld = await progress.endUnheld(BROKEN, held())
    if (unheld.length > 0) logger.warn({ count: unheld.length }, 'ended calls that this process has lost')
    for (const call of [...abandoned, ...unheld]) letGo(call)
  }

  /** Shows that this process lives. */
  async #show(): Promise<void> {
    const { db, owner, relayAddress } = this.#options
    const { rows } = await db.query<{ seen: Date; known: boolean }>(
      `with before as (select id from voice_platform.processes where id = $1)
       insert into voice_platform.processes (id, relay_address, seen_at) values ($1, $2, now())
       on conflict (id) do update set seen_at = excluded.seen_at
       returning seen_at as seen, exists (select from before) as known`,
      [owner, relayAddress],
    )
    const [row] = rows
    if (!row) throw new Error('The database returned no row for a heartbeat.')
    const seenAt = row.seen.getTime()
    const passed = this.#seenAt === undefined ? undefined : seenAt - this.#seenAt
    if (passed !== undefined && !row.known) this.#silentMs = passed
    // An answer that comes late, and a clock that was set back, are a gap, too.
    if (passed === undefined || passed < 0 || passed > GAP_MS) this.#freshSince = seenAt
    this.#seenAt = seenAt
  }

  /** Ends the conversations of calls that another process has ended, as it took this one for gone. */
  async #endTaken(): Promise<void> {
    const { progress, running, end, letGo, logger } = this.#options
    const isGone = this.#silentMs !== undefined
    const talking = running()
    const ended = talking.length > 0 ? await progress.endedAmong(talking) : []
    const rang = isGone ? await progress.unansweredOwn(GONE) : []
    if (isGone || ended.length > 0)
      logger.warn(
        { calls: ended.length, reason: GONE, ...(isGone && { silentMs: this.#silentMs }) },
        'another process took this one for gone and has ended its calls, so they end here too; was it stopped, or without the database?',
      )
    this.#silentMs = undefined
    for (const callId of ended) end(callId, GONE)
    for (const call of rang) letGo(call)
  }
}
