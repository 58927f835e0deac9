import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { Link } from '../link/link.js'
import { CallSound } from './call-sound.js'
import { RecordedLink } from './recorded-link.js'
import type { RecordingFolder } from './recording-folder.js'
import type { RecordingStore } from './recording-store.js'
import type { RecordingOutcome, RecordingWork } from './recording-thread.js'
import type { RecordingFormat } from './sound-format.js'

/** How often sound goes to the thread that writes it, in milliseconds. */
const EVERY_MS = 500
/** How long the end of a call waits for the end of its recording, in milliseconds. */
const END_MS = 3_000

/** What the record of a call says where the caller did not hear that it is recorded. */
const NOT_HEARD =
  'The call was not recorded: the caller did not hear the announcement to its end, so what was recorded was deleted.'

export interface CallRecordingOptions {
  callId: string
  /** Said before anything else. */
  announcement: string
  format: RecordingFormat
  folder: RecordingFolder
  store: RecordingStore
  work: RecordingWork
  clock: Clock
  logger: Logger
}

/** The recording of one call that runs. Nothing that happens to it happens to the call. */
export class CallRecording {
  readonly announcement: string
  readonly #options: CallRecordingOptions
  readonly #sound: CallSound
  readonly #outcome: Promise<RecordingOutcome>
  #isHeard = false
  /** What was last written into the database. */
  #stored: Promise<void> = Promise.resolve()
  #isOver = false
  /** The thread takes its sound. */
  #hasBegun = false
  #stopTimer = () => {}

  constructor(options: CallRecordingOptions) {
    this.announcement = options.announcement
    this.#options = options
    this.#sound = new CallSound(options.clock)
    this.#outcome = this.#begin()
    void this.#outcome.then(() => this.#stop())
    this.#schedule()
  }

  /** The link with an ear on both directions. */
  tap(link: Link): Link {
    return new RecordedLink(link, this.#sound, () => this.#isOver)
  }

  /** The caller has heard that the call is recorded, or will not. */
  announced(isHeard: boolean): void {
    if (!isHeard) {
      this.#stop()
      return
    }
    this.#isHeard = true
    const { callId, store, logger } = this.#options
    this.#stored = this.#stored
      .then(() => store.announced(callId))
      .catch((error: unknown) => logger.error({ err: error }, 'an announced recording is not stored as such'))
  }

  /** The call is over. Resolves with what its record should say of the recording, if anything. Never rejects. */
  async end(): Promise<string | undefined> {
    const { callId, work, clock } = this.#options
    if (!this.#isOver) work.sound(callId, this.#sound.rest())
    this.#stop()
    let stopWaiting = () => {}
    const late = new Promise<undefined>((resolve) => {
      stopWaiting = clock.after(END_MS, () => resolve(undefined))
    })
    try {
      const outcome = await Promise.race([this.#outcome, late])
      // Where it is late, the next round completes it.
      return outcome && (await this.#store(outcome))
    } catch (error) {
      this.#options.logger.error({ err: error }, 'the end of a recording is not stored; it is tried again')
      return undefined
    } finally {
      stopWaiting()
    }
  }

  async #begin(): Promise<RecordingOutcome> {
    const { callId, folder, format, work, logger } = this.#options
    this.#stored = this.#enter()
    try {
      await this.#stored
    } catch (error) {
      logger.error({ err: error }, 'a recording could not begin; the call goes on')
      return { size: undefined, failure: 'its beginning could not be stored' }
    }
    const written = work.begin(callId, folder.path, format)
    // The call may have ended meanwhile.
    if (this.#isOver) {
      work.sound(callId, this.#sound.rest())
      work.end(callId)
    }
    this.#hasBegun = true
    const outcome = await written
    if (outcome.failure !== undefined)
      logger.error({ reason: outcome.failure }, 'the recording ended before its call; the call goes on')
    return outcome
  }

  async #enter(): Promise<void> {
    const { callId, folder, format, store } = this.#options
    const disk = await folder.open()
    await store.tellDisk(disk)
    await store.begin(callId, disk, format)
  }

  #schedule(): void {
    const { callId, clock, work } = this.#options
    this.#stopTimer = clock.after(EVERY_MS, () => {
      if (this.#hasBegun) work.sound(callId, this.#sound.settled())
      this.#schedule()
    })
  }

  #stop(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopTimer()
    if (this.#hasBegun) this.#options.work.end(this.#options.callId)
  }

  async #store({ size, failure }: RecordingOutcome): Promise<string | undefined> {
    const { callId, folder, format, store } = this.#options
    if (!this.#isHeard || !size) {
      const note = failure === undefined ? NOT_HEARD : `The call was not recorded: ${failure}.`
      await store.end(callId, 'dropped', undefined, note)
      await folder.remove(callId, format)
      return note
    }
    if (failure === undefined) {
      await store.end(callId, 'whole', size)
      return undefined
    }
    const note = `The recording ends before the call, after ${Math.round(size.seconds)} seconds: ${failure}.`
    await store.end(callId, 'cut', size, note)
    return note
  }
}
