import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { RecordingSize } from './recording-files.js'
import type { RecordingAnswer, RecordingJob } from './recording-messages.js'
import type { RecordingFormat } from './sound-format.js'

/** How a recording ended: what was written, and why it ended before its call. */
export interface RecordingOutcome {
  size: RecordingSize | undefined
  failure: string | undefined
}

/** Who encodes and writes recordings. */
export interface RecordingWork {
  /** Resolves with the outcome, whoever ended it. Never rejects. */
  begin(callId: string, folder: string, format: RecordingFormat): Promise<RecordingOutcome>
  /** The caller's samples and the assistant's in turn. They are the work's from now on. */
  sound(callId: string, samples: Int16Array): void
  end(callId: string): void
  close(): Promise<void>
}

/** Most samples of one call that wait to be written: twenty seconds of two channels. */
const MOST_WAITING = 20 * 2 * 16_000

interface Running {
  waiting: number
  isEnding: boolean
  settle(outcome: RecordingOutcome): void
}

/** The one thread of this process that writes recordings. It starts with the first, and keeps no process alive. */
export class RecordingThread implements RecordingWork {
  readonly #running = new Map<string, Running>()
  #worker: Worker | undefined

  begin(callId: string, folder: string, format: RecordingFormat): Promise<RecordingOutcome> {
    return new Promise((settle) => {
      this.#running.set(callId, { waiting: 0, isEnding: false, settle })
      this.#post({ type: 'begin', callId, folder, format })
    })
  }

  sound(callId: string, samples: Int16Array): void {
    const running = this.#running.get(callId)
    if (!running || running.isEnding || samples.length === 0) return
    running.waiting += samples.length
    if (running.waiting > MOST_WAITING) {
      this.end(callId)
      this.#settle(callId, { size: undefined, failure: 'it could not be written as fast as people speak' })
    } else this.#post({ type: 'sound', callId, samples }, [samples.buffer as ArrayBuffer])
  }

  end(callId: string): void {
    const running = this.#running.get(callId)
    if (!running || running.isEnding) return
    running.isEnding = true
    this.#post({ type: 'end', callId })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#lost('the server stopped')
    await worker?.terminate()
  }

  #post(job: RecordingJob, transfer: ArrayBuffer[] = []): void {
    try {
      this.#worker ??= this.#start()
      this.#worker.postMessage(job, transfer)
    } catch (error) {
      this.#settle(job.callId, { size: undefined, failure: reasonOf(error) })
    }
  }

  #start(): Worker {
    const script = createRequire(import.meta.url).resolve('@heyline/voice-platform/recording-worker')
    const worker = new Worker(script, { execArgv: [] })
    worker.unref()
    worker.on('message', (answer: RecordingAnswer) => this.#answer(answer))
    const die = (reason: string) => {
      if (this.#worker === worker) this.#lost(reason)
    }
    worker.on('error', (error) => die(error.message))
    worker.on('exit', (code) => die(`the thread that writes it ended with ${code}`))
    return worker
  }

  #answer(answer: RecordingAnswer): void {
    const running = this.#running.get(answer.callId)
    if (answer.type === 'ended') this.#settle(answer.callId, answer)
    else if (running) running.waiting -= answer.samples
  }

  /** The next recording begins in a thread of its own. */
  #lost(failure: string): void {
    this.#worker = undefined
    for (const callId of [...this.#running.keys()]) this.#settle(callId, { size: undefined, failure })
  }

  #settle(callId: string, { size, failure }: RecordingOutcome): void {
    const running = this.#running.get(callId)
    this.#running.delete(callId)
    running?.settle({ size, failure })
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
