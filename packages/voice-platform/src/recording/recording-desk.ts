import { mendRecording } from './mend-recording.js'
import type { RecordingDisk } from './recording-disk.js'
import type { RecordingSize } from './recording-files.js'
import type { RecordingAnswer, RecordingJob } from './recording-messages.js'
import { RecordingWriter } from './recording-writer.js'
import type { RecordingFormat } from './sound-format.js'

export interface RecordingDeskOptions {
  /** The disk of a folder. May throw. */
  diskOf(folder: string): RecordingDisk
  answer(message: RecordingAnswer): void
}

interface Running {
  disk: RecordingDisk
  format: RecordingFormat
  writer: RecordingWriter
}

/** Writes the recordings of several calls, each job after the one before it. What fails ends its own recording. */
export class RecordingDesk {
  readonly #options: RecordingDeskOptions
  readonly #running = new Map<string, Running>()
  #last: Promise<void> = Promise.resolve()

  constructor(options: RecordingDeskOptions) {
    this.#options = options
  }

  take(job: RecordingJob): void {
    this.#last = this.#last.then(() => this.#do(job))
  }

  /** Resolves when all that was taken so far is done. */
  idle(): Promise<void> {
    return this.#last
  }

  async #do(job: RecordingJob): Promise<void> {
    const { callId } = job
    try {
      if (job.type === 'begin') await this.#begin(job)
      else if (job.type === 'sound') this.#write(callId, job.samples)
      else this.#end(callId)
    } catch (error) {
      this.#fail(callId, error)
    }
  }

  async #begin({ callId, folder, format }: Extract<RecordingJob, { type: 'begin' }>): Promise<void> {
    const disk = this.#options.diskOf(folder)
    this.#running.set(callId, { disk, format, writer: await RecordingWriter.open(disk, callId, format) })
  }

  #write(callId: string, samples: Int16Array): void {
    const running = this.#running.get(callId)
    if (!running) return
    running.writer.add(samples)
    this.#options.answer({ type: 'written', callId, samples: samples.length })
  }

  #end(callId: string): void {
    const running = this.#running.get(callId)
    if (!running) return
    const size = running.writer.end()
    this.#running.delete(callId)
    this.#options.answer({ type: 'ended', callId, size, failure: undefined })
  }

  /** What was written before stays, and is completed as far as the disk lets it. */
  #fail(callId: string, error: unknown): void {
    const running = this.#running.get(callId)
    this.#running.delete(callId)
    let size: RecordingSize | undefined
    try {
      running?.writer.close()
      size = running && mendRecording(running.disk, callId, running.format)
    } catch {
      // The first failure is the one that is told.
    }
    const failure = error instanceof Error ? error.message : String(error)
    this.#options.answer({ type: 'ended', callId, size, failure })
  }
}
