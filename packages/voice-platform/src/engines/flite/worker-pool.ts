import { type Clock, systemClock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { EngineError } from '../engine.js'
import { type Conversation, JobQueue } from './job-queue.js'
import { type ThreadJob, VoiceThread } from './voice-thread.js'

/** A worker that takes longer than this hangs, in milliseconds. One text takes some 200 ms at most. */
const JOB_TIMEOUT_MS = 15_000

export interface WorkerPoolOptions {
  /** Address of the worker's script. */
  script: URL
  /** Most threads. */
  size: number
  logger: Logger
  timeoutMs?: number
  clock?: Clock
}

export interface PoolJob {
  /** Nobody waits for it yet. */
  ahead?: boolean
  /** When somebody begins to wait for it, in milliseconds since the epoch; now where it is left out. */
  neededAt?: number
  /** Whose sentence it is; nobody else's where it is left out. */
  of?: Conversation | undefined
}

/** Speech that waits for a thread, is being made, or is finished. */
export interface PoolWork {
  /** Rejects with an `EngineError` when the text can't be spoken, its thread dies, it is dropped, or the pool closes. */
  readonly speech: Promise<Int16Array>
  /**
   * Somebody needs it at this time (now where it is left out), so it goes before speech that is made ahead of need. Whose sentence it is
   * matters where several conversations wait.
   */
  hurry(neededAt?: number, of?: Conversation): void
  /** Nobody wants it any more. True if it waited, and so is never made. False if it is under way or finished. */
  drop(): boolean
}

/** Threads that turn text into speech, one job each at a time, in the order of `JobQueue`. A thread starts when needed; a dead one is replaced. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #clock: Clock
  readonly #waiting: JobQueue<ThreadJob>
  readonly #idle: VoiceThread[] = []
  readonly #threads = new Set<VoiceThread>()
  #closed = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#waiting = new JobQueue(this.#clock)
  }

  /** Starts one thread ahead of the first job. */
  warm(): void {
    if (this.#threads.size === 0 && !this.#closed) this.#idle.push(this.#start())
  }

  /** Makes speech; `ahead` of need when nobody waits for it yet. */
  run(text: string, { ahead = false, neededAt = this.#clock.monotonic(), of }: PoolJob = {}): PoolWork {
    let job: ThreadJob = { text, resolve: () => {}, reject: () => {} }
    const speech = new Promise<Int16Array>((resolve, reject) => {
      job = { text, resolve, reject }
    })
    if (this.#closed) job.reject(new EngineError('flite', 'the voice is closed'))
    else {
      if (ahead) this.#waiting.addAhead(job)?.reject(new EngineError('flite', 'dropped for newer speech'))
      else if (!this.#waiting.addLive(job, neededAt, of))
        job.reject(new EngineError('flite', 'too many sentences of this conversation wait'))
      this.#next()
    }
    return {
      speech,
      hurry: (at = this.#clock.monotonic(), by) => {
        if (this.#waiting.has(job)) this.#waiting.addLive(job, at, by)
      },
      drop: () => {
        const waited = this.#waiting.remove(job)
        if (waited) job.reject(new EngineError('flite', 'nobody waits for this speech'))
        return waited
      },
    }
  }

  /** Ends all threads and rejects their jobs and those that wait. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true
    for (const job of this.#waiting.takeAll()) job.reject(new EngineError('flite', 'the voice is closed'))
    await Promise.all([...this.#threads].map((thread) => thread.end('the voice is closed')))
  }

  #next(): void {
    if (this.#waiting.isEmpty) return
    const thread = this.#idle.pop() ?? (this.#threads.size < this.#options.size ? this.#start() : undefined)
    const job = thread && this.#waiting.next()
    if (job) thread.run(job)
  }

  #start(): VoiceThread {
    const { script, logger, timeoutMs = JOB_TIMEOUT_MS } = this.#options
    const thread = new VoiceThread(script, timeoutMs, {
      onFree: () => {
        this.#idle.push(thread)
        this.#next()
      },
      onDead: (reason) => {
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
