import { Worker } from 'node:worker_threads'
import { EngineError } from '../engine.js'

/** Asks a voice worker for the speech of one text. */
export interface SynthesisJob {
  id: number
  text: string
}

/** A voice worker's answer: speech, or the reason why there is none. */
export type SynthesisResult = { id: number; samples: Int16Array } | { id: number; error: string }

/** A text whose speech is to be made, and who is to be told. */
export interface ThreadJob {
  text: string
  resolve(samples: Int16Array): void
  reject(error: EngineError): void
}

export interface ThreadEvents {
  /** It can take another job. */
  onFree(): void
  onDead(reason: string): void
}

/** One worker thread and the job it has. It keeps the process alive only while it works. */
export class VoiceThread {
  readonly #worker: Worker
  readonly #timeoutMs: number
  readonly #events: ThreadEvents
  #job: ThreadJob | undefined
  #timer: NodeJS.Timeout | undefined
  #sequence = 0
  #dead = false

  constructor(script: URL, timeoutMs: number, events: ThreadEvents) {
    this.#timeoutMs = timeoutMs
    this.#events = events
    // What this process was started with, a debugger's port among it, is not the thread's.
    this.#worker = new Worker(script, { execArgv: [] })
    this.#worker.unref()
    this.#worker.on('message', (result: SynthesisResult) => this.#settle(result))
    this.#worker.on('error', (error) => this.#die(error.message))
    this.#worker.on('exit', (code) => this.#die(`exit code ${code}`))
  }

  run(job: ThreadJob): void {
    this.#job = job
    this.#worker.ref()
    this.#timer = setTimeout(() => void this.end(`no answer for ${this.#timeoutMs} ms`), this.#timeoutMs)
    this.#sequence += 1
    this.#worker.postMessage({ id: this.#sequence, text: job.text } satisfies SynthesisJob)
  }

  async end(reason: string): Promise<void> {
    this.#die(reason)
    await this.#worker.terminate()
  }

  #settle(result: SynthesisResult): void {
    const job = this.#take()
    if (!job || result.id !== this.#sequence) return
    this.#worker.unref()
    if ('error' in result) job.reject(new EngineError('flite', result.error))
    else job.resolve(result.samples)
    this.#events.onFree()
  }

  #die(reason: string): void {
    if (this.#dead) return
    this.#dead = true
    this.#take()?.reject(new EngineError('flite', `the voice worker ended (${reason})`))
    this.#events.onDead(reason)
  }

  #take(): ThreadJob | undefined {
    const job = this.#job
    this.#job = undefined
    clearTimeout(this.#timer)
    return job
  }
}
