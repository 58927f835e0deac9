import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { CreateAssistant } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { CallRecording } from './call-recording.js'
import { mendRecording } from './mend-recording.js'
import { recordingDisk } from './recording-disk.js'
import { RecordingFolder } from './recording-folder.js'
import { RecordingStore } from './recording-store.js'
import { RecordingThread, type RecordingWork } from './recording-thread.js'
import type { RecordingFormat } from './sound-format.js'
import { removeStrays } from './stray-recordings.js'

/** How often files are completed and removed, in milliseconds. */
const ROUND_MS = 60_000
/** So many rounds from one look for files that no row names to the next, an hour. */
const ROUNDS_OF_STRAYS = 60

/** What the operator has set about recordings. */
export interface RecordingSettings {
  /** Where the files are; made with the first one. */
  folder: string
  /** Every call is recorded whose assistant does not say otherwise. Without it only those whose `artifactPlan` asks for it. */
  everyCall: boolean
  /** What callers are told first. Without one nothing is recorded. */
  announcement: string | undefined
  format: RecordingFormat
  /** How long recordings are kept. */
  days: number
  /** Signs their addresses; the same in all processes of the installation. */
  key: Uint8Array
}

export interface RecordingsOptions extends RecordingSettings {
  db: Db
  /** This process (a UUID). */
  process: string
  clock: Clock
  logger: Logger
  /** For tests. */
  work?: RecordingWork | undefined
}

/** Records the calls of this process, and looks after the files on its disk. */
export class Recordings {
  readonly folder: RecordingFolder
  readonly store: RecordingStore
  readonly #options: RecordingsOptions
  readonly #work: RecordingWork
  readonly #held = new Set<string>()
  #stopTimer = () => {}
  #round: Promise<void> = Promise.resolve()
  #closed = false
  /** Rounds until the next look for files that no row names. */
  #untilStrays = 0

  constructor(options: RecordingsOptions) {
    this.#options = options
    this.folder = new RecordingFolder(options.folder)
    this.store = new RecordingStore(options.db, options.process)
    this.#work = options.work ?? new RecordingThread()
  }

  /** Begins to record a call, if it is to be. A machine that answers is not recorded, as it hears no announcement. */
  begin(callId: string, { artifactPlan }: CreateAssistant, logger: Logger): CallRecording | undefined {
    const { everyCall, announcement, format, clock } = this.#options
    const asked = artifactPlan?.recordingEnabled
    const isWanted = everyCall ? asked !== false : asked === true
    if (!isWanted || this.#closed) return undefined
    if (announcement === undefined) {
      logger.info('the call is not recorded: RECORDING_ANNOUNCEMENT is not set')
      return undefined
    }
    this.#held.add(callId)
    return new CallRecording({
      ...{ callId, announcement, clock, logger, folder: this.folder, store: this.store, work: this.#work },
      format: artifactPlan?.recordingFormat === 'wav;l16' ? 'wav' : format,
    })
  }

  /** A call's recording has ended, and nobody here writes it any more. */
  over(callId: string): void {
    this.#held.delete(callId)
  }

  /** The first round is at once. */
  start(): void {
    if (this.#closed) return
    this.#round = this.run()
      .catch((error: unknown) =>
        this.#options.logger.error(
          { err: error },
          'recordings were not looked after; the next try is in a minute',
        ),
      )
      .then(() => {
        if (!this.#closed) this.#stopTimer = this.#options.clock.after(ROUND_MS, () => this.start())
      })
  }

  /** Completes what a killed process has left, and removes the files whose time is over. */
  async run(): Promise<void> {
    const disk = await this.folder.id()
    if (disk === undefined) return
    await this.store.tellDisk(disk)
    for (const { id, format, announced } of await this.store.unfinished(disk, [...this.#held])) {
      const size = announced ? mendRecording(recordingDisk(this.folder.path), id, format) : undefined
      const note = 'The server stopped while it was recorded.'
      await this.store.end(id, size ? 'cut' : 'dropped', size, note)
      this.#options.logger.info(
        { callId: id, seconds: size?.seconds },
        'a recording was completed after its server',
      )
    }
    await this.#removeOutlived(disk)
    await this.#removeStrays(disk)
  }

  async #removeOutlived(disk: string): Promise<void> {
    const outlived = await this.store.outlived(disk, this.#options.days)
    if (outlived.length === 0) return
    for (const { id, format } of outlived) await this.folder.remove(id, format)
    await this.store.forget(outlived.map(({ id }) => id))
    this.#options.logger.info({ recordings: outlived.length }, 'recordings were deleted')
  }

  async #removeStrays(disk: string): Promise<void> {
    if (this.#untilStrays > 0) {
      this.#untilStrays -= 1
      return
    }
    this.#untilStrays = ROUNDS_OF_STRAYS - 1
    const { folder, store } = this
    const { days, clock, logger } = this.#options
    const files = await removeStrays(disk, { folder, store, days, now: () => clock.now() })
    if (files > 0) logger.info({ files }, 'files of recordings that no row names were deleted')
  }

  /** Ends the thread. To be called when no call is left. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stopTimer()
    await this.#round
    await this.#work.close()
  }
}
