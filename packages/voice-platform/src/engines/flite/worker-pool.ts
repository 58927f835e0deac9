import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { EngineError } from '../engine.js'
import type { SynthesisJob, SynthesisResult } from './synthesis-job.js'

/** One text takes at most some 200 ms; a worker that needs this long hangs. */
const JOB_TIMEOUT_MS = 15_000

export interface WorkerPoolOptions {
  /** Address of the worker's script. */
  script: URL
  /** Most threads. */
  size: number
  logger: Logger
  timeoutMs?: number
}

interface Job {
  text: string
  resolve(samples: Int16Array): void
  reject(error: EngineError): void
}

/** Threads that turn text into speech, one job each at a time, first come first served. Started when needed, replaced when dead. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #waiting: Job[] = []
  readonly #idle: Thread[] = []
  readonly #threads = new Set<Thread>()
  #closed = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /** Starts one thread ahead of the first job. */
  warm(): void {
    if (this.#threads.size === 0 && !this.#closed) this.#idle.push(this.#start())
  }

  /** Rejects with an `EngineError` when the text can't be spoken, the thread dies over it or the pool is closed. */
  run(text: string): Promise<Int16Array> {
    if (this.#closed) return Promise.reject(new EngineError('flite', 'the voice is closed'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject })
      this.#next()
    })
  }

  /** Ends all threads and rejects their jobs and those that wait. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true
    for (const job of this.#waiting.splice(0)) job.reject(new EngineError('flite', 'the voice is closed'))
    await Promise.all([...this.#threads].map((thread) => thread.end('the voice is closed')))
  }

  #next(): void {
    if (this.#waiting.length === 0) return
    const thread = this.#idle.pop() ?? (this.#threads.size < this.#options.size ? this.#start() : undefined)
    const job = thread && this.#waiting.shift()
    if (job) thread.run(job)
  }

  #start(): Thread {
    const { script, logger, timeoutMs = JOB_TIMEOUT_MS } = this.#options
    const thread = new Thread(script, timeoutMs, {
      free: () => {
        this.#idle.push(thread)
        this.#next()
      },
      dead: (reason) => {
        this.#threads.delete(thread)
        const place = this.#idle.indexOf(thread)
        if (place >= 0) this.#idle.splice(place, 1)
        if (this.#closed) return
        logger.warn({ reason }, 'a voice worker died; the next sentence starts another')
        this.#next()
      },
    })
    this.#threads.add(thread)
    return thread
  }
}

/** One worker thread and the job it has. It keeps the process alive only while it works. */
class Thread {
  readonly #worker: Worker
  readonly #timeoutMs: number
  readonly #events: { free(): void; dead(reason: string): void }
  #job: Job | undefined
  #timer: NodeJS.Timeout | undefined
  #sequence = 0
  #dead = false

  constructor(script: URL, timeoutMs: number, events: { free(): void; dead(reason: string): void }) {
    this.#timeoutMs = timeoutMs
    this.#events = events
    this.#worker = new Worker(script)
    this.#worker.unref()
    this.#worker.on('message', (result: SynthesisResult) => this.#settle(result))
    this.#worker.on('error', (error) => this.#die(error.message))
    this.#worker.on('exit', (code) => this.#die(`exit code ${code}`))
  }

  run(job: Job): void {
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
    this.#events.free()
  }

  #die(reason: string): void {
    if (this.#dead) return
    this.#dead = true
    this.#take()?.reject(new EngineError('flite', `the voice worker ended (${reason})`))
    this.#events.dead(reason)
  }

  #take(): Job | undefined {
    const job = this.#job
    this.#job = undefined
    clearTimeout(this.#timer)
    return job
  }
}
