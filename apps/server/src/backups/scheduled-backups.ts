import { stat } from 'node:fs/promises'
import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { Loop } from '@heyline/kit/loop'
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.js'
import { BackupFolder } from './backup-folder.js'
import { BackupTurns } from './backup-turns.js'
import { makeBackup } from './make-backup.js'

/** How often a process asks whether one is due, and how often it says that it is still at it, in ms. */
const ASK_MS = 60_000
const RENEW_MS = 15_000

export interface ScheduledBackupsOptions {
  db: Db
  settings: Pick<Settings, 'keys' | 'formerHookSecret'> & { backups: NonNullable<Settings['backups']> }
  /** Names this process among the others. */
  holder: string
  logger: Logger
  clock?: Clock
}

/** Makes backups every so many hours, and keeps so many: one process of all at a time, beside its other work. */
export class ScheduledBackups {
  readonly #options: ScheduledBackupsOptions
  readonly #clock: Clock
  readonly #turns: BackupTurns
  readonly #folder: BackupFolder
  readonly #closing = new AbortController()
  readonly #loop: Loop

  constructor(options: ScheduledBackupsOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#turns = new BackupTurns(options.db, options.holder)
    this.#folder = new BackupFolder(options.settings.backups.directory)
    this.#loop = new Loop({
      everyMs: ASK_MS,
      run: async () => {
        await this.runDue()
      },
      onError: (err) => options.logger.warn({ err }, 'whether a backup is due could not be asked'),
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Makes one if one is due and nobody else is at it. Resolves with its file. A failure is logged, and kept for the metrics. */
  async runDue(): Promise<string | undefined> {
    const { settings, logger } = this.#options
    const { everyMs } = settings.backups
    if (!(await this.#turns.take(everyMs))) return undefined
    const stopping = new AbortController()
    const signal = AbortSignal.any([this.#closing.signal, stopping.signal])
    const stopRenewing = this.#keepRenewing(stopping)
    try {
      const file = await this.#make(signal)
      const { size } = await stat(file)
      await this.#turns.done(everyMs, file, size)
      logger.info({ file, bytes: size }, 'a backup is made')
      // The new one is whole: only now are old ones taken away.
      const removed = await this.#folder.removeOld(settings.backups.keep, this.#clock.now())
      if (removed.length > 0) logger.info({ files: removed }, 'old backups are removed')
      return file
    } catch (err) {
      if (this.#closing.signal.aborted) await this.#turns.giveBack()
      else {
        logger.error({ err }, 'the scheduled backup failed; it is tried again within 15 minutes')
        await this.#turns.failed(everyMs, err instanceof Error ? err.message : String(err))
      }
      return undefined
    } finally {
      stopRenewing()
    }
  }

  /** A backup that is being made is given up: another process may make it at once. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#loop.close()
  }

  async #make(signal: AbortSignal): Promise<string> {
    const { db, settings } = this.#options
    const file = await this.#folder.fileAt(this.#clock.now())
    await makeBackup(db, settings, file, { gently: true, signal })
    return file
  }

  /** Until the returned function is called. Whoever has lost the turn stops, because another one has begun. */
  #keepRenewing(stopping: AbortController): () => void {
    let cancel = () => {}
    let isOver = false
    const next = () => {
      cancel = this.#clock.after(RENEW_MS, () => {
        this.#turns
          .renew()
          .then((isOurs) => {
            if (!isOurs) stopping.abort(new Error('This process was away for too long: another one makes it'))
          })
          // The database may be away for a moment, and the turn with it: the next answer tells.
          .catch(() => {})
          .finally(() => {
            if (!isOver) next()
          })
      })
    }
    next()
    return () => {
      isOver = true
      cancel()
    }
  }
}
