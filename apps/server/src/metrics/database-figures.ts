import { type DeskFigures, readDeskFigures } from '@heyline/call-desk'
import type { Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { KeptAnswer } from '@heyline/kit/kept-answer'
import { type DeliveryFigures, readDeliveryFigures } from '@heyline/timeline'
import { type BackupFigures, readBackupFigures } from '../backups/backup-turns.js'
import type { Metrics } from './metrics.js'

/** How long what was read of the database holds, in ms. Prometheus asks every 15 s or less often. */
const HOLDS_MS = 5_000
/** Longest that an answer waits for the database, in ms. */
const PATIENCE_MS = 2_000

const MILLIONTHS = 1_000_000

/** What only the database knows, of all processes. */
export interface Figures {
  desk: DeskFigures
  deliveries: DeliveryFigures
  /** Undefined where none are scheduled, or none was due yet. */
  backup: BackupFigures | undefined
}

export const readFigures = async (db: Queryable, makesBackups: boolean): Promise<Figures> => ({
  desk: await readDeskFigures(db),
  deliveries: await readDeliveryFigures(db),
  backup: makesBackups ? await readBackupFigures(db) : undefined,
})

/** Brings the gauges up to date that only the database knows. While it does not answer they have no values. */
export class DatabaseFigures {
  readonly #kept: KeptAnswer<Figures | undefined>
  readonly #metrics: Metrics
  readonly #clock: Clock

  /** `read` asks the database; a rejection means that it is away. */
  constructor(read: () => Promise<Figures>, metrics: Metrics, clock: Clock) {
    this.#metrics = metrics
    this.#clock = clock
    this.#kept = new KeptAnswer({ ask: () => read().catch(() => undefined), keptMs: HOLDS_MS, clock })
  }

  /** Never rejects. */
  async refresh(): Promise<void> {
    this.#forget()
    const figures = await this.#inTime(this.#kept.get())
    this.#metrics.databaseUp.set(figures ? 1 : 0)
    if (figures) this.#show(figures)
  }

  #show({ desk, deliveries, backup }: Figures): void {
    const metrics = this.#metrics
    for (const { kind, direction, state, outcome, count } of desk.calls)
      metrics.calls.set({ kind, direction, state, outcome: outcome ?? 'none' }, count)
    metrics.queueLength.set(desk.queue.length)
    metrics.queueAge.set(desk.queue.ageSeconds)
    metrics.inboxLength.set(desk.inbox.length)
    metrics.inboxAge.set(desk.inbox.ageSeconds)
    for (const { kind, daySpent, dayReserved, monthSpent, monthReserved } of desk.spend) {
      metrics.spend.set({ kind, window: 'day', state: 'spent' }, daySpent / MILLIONTHS)
      metrics.spend.set({ kind, window: 'day', state: 'reserved' }, dayReserved / MILLIONTHS)
      metrics.spend.set({ kind, window: 'month', state: 'spent' }, monthSpent / MILLIONTHS)
      metrics.spend.set({ kind, window: 'month', state: 'reserved' }, monthReserved / MILLIONTHS)
    }
    metrics.callingStopped.set({ by: 'pause' }, Number(desk.paused))
    metrics.callingStopped.set({ by: 'breaker' }, Number(desk.breakerOpen))
    metrics.deliveriesDue.set(deliveries.due)
    metrics.deliveriesAge.set(deliveries.ageSeconds)
    metrics.deliveriesDead.set(deliveries.dead)
    if (backup?.ageSeconds !== undefined) metrics.backupAge.set(backup.ageSeconds)
    if (backup?.bytes !== undefined) metrics.backupBytes.set(backup.bytes)
    if (backup) metrics.backupFailed.set(Number(backup.hasFailed))
  }

  #forget(): void {
    const metrics = this.#metrics
    for (const gauge of [metrics.calls, metrics.spend, metrics.callingStopped]) gauge.reset()
    // A reset would give them a value.
    for (const gauge of [
      metrics.queueLength,
      metrics.queueAge,
      metrics.inboxLength,
      metrics.inboxAge,
      metrics.deliveriesDue,
      metrics.deliveriesAge,
      metrics.deliveriesDead,
      metrics.backupAge,
      metrics.backupBytes,
      metrics.backupFailed,
    ])
      gauge.remove()
  }

  #inTime(read: Promise<Figures | undefined>): Promise<Figures | undefined> {
    return new Promise((resolve) => {
      const stop = this.#clock.after(PATIENCE_MS, () => resolve(undefined))
      void read.then((figures) => {
        stop()
        resolve(figures)
      })
    })
  }
}
