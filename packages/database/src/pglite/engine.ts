import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { DatabaseError } from '../database-error.js'
import type { RawResult } from '../rows.js'
import type { EngineReply, EngineRequest, Standing } from './engine-message.js'

export interface EngineEvents {
  notification(channel: string, payload: string): void
  /** The thread has ended, asked or not; nothing is under way any more. */
  ended(cause: Error | undefined): void
}

interface Pending {
  resolve(result: RawResult): void
  reject(error: Error): void
}

/** PGlite did not start; `code` says whether it would not have kept what it commits. */
export class PgliteStartError extends Error {
  override readonly name = 'PgliteStartError'
  readonly code: 'not_durable' | 'not_opened'

  constructor(code: 'not_durable' | 'not_opened', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The thread that PGlite runs in, seen from the main one. It answers in the order it is asked. */
export class Engine {
  readonly #worker: Worker
  readonly #events: EngineEvents
  readonly #pending = new Map<number, Pending>()
  readonly #started: Promise<{ created: boolean }>
  readonly #exited: Promise<void>
  #settleStart: (reply: EngineReply | Error) => void = () => {}
  #next = 1
  #state: 'open' | 'closing' | 'ended' = 'open'
  #cause: Error | undefined

  private constructor(directory: string, events: EngineEvents) {
    // A worker thread loads no TypeScript, so it is found as the package's users would: in `dist`.
    const file = createRequire(import.meta.url).resolve('@heyline/database/pglite-worker')
    this.#worker = new Worker(file, {
      workerData: { directory },
      execArgv: [],
      name: 'pglite',
      // Postgres checks its own stack, but WebAssembly's calls lie on the thread's: it must be the larger one.
      resourceLimits: { stackSizeMb: 64 },
    })
    this.#events = events
    this.#started = new Promise((resolve, reject) => {
      this.#settleStart = (reply) => {
        if (!(reply instanceof Error) && reply.type === 'ready') resolve({ created: reply.created })
        else reject(startError(directory, reply))
      }
    })
    this.#worker.on('message', (reply: EngineReply) => this.#receive(reply))
    this.#worker.on('error', (error: Error) => {
      this.#cause ??= error
    })
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#end()
        resolve()
      })
    })
  }

  /** Starts the thread and resolves when Postgres in it takes statements; `created` when the directory was empty. */
  static async start(directory: string, events: EngineEvents): Promise<{ engine: Engine; created: boolean }> {
    const engine = new Engine(directory, events)
    try {
      return { engine, ...(await engine.#started) }
    } catch (error) {
      await engine.#worker.terminate()
      throw error
    }
  }

  run(sql: string, parameters: (string | null)[] | null, standing: Standing): Promise<RawResult> {
    if (this.#state !== 'open') return Promise.reject(this.#refusal())
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#send({ type: 'run', id, sql, parameters, standing })
    })
  }

  /** Lets what was asked before finish, for `graceMs` at most, then ends the thread. Idempotent. */
  async close(graceMs: number): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closing'
      this.#send({ type: 'close' })
      const tooLong = setTimeout(() => void this.#worker.terminate(), graceMs)
      void this.#exited.then(() => clearTimeout(tooLong))
    }
    await this.#exited
  }

  #send(request: EngineRequest): void {
    this.#worker.postMessage(request)
  }

  #receive(reply: EngineReply): void {
    if (reply.type === 'notification') this.#events.notification(reply.channel, reply.payload)
    else if (reply.type === 'ready' || reply.type === 'failed') this.#settleStart(reply)
    else if (reply.type === 'broken') this.#cause = new Error(reply.message)
    else if (reply.type === 'result' || reply.type === 'error') {
      const pending = this.#pending.get(reply.id)
      this.#pending.delete(reply.id)
      if (reply.type === 'result') pending?.resolve(reply.result)
      else pending?.reject(new DatabaseError(reply.error.message, reply.error))
    }
  }

  #refusal(): DatabaseError {
    return this.#state === 'ended' && this.#cause
      ? DatabaseError.stopped(this.#cause)
      : DatabaseError.closed()
  }

  #end(): void {
    if (this.#state === 'open') this.#cause ??= new Error('The PGlite thread ended by itself.')
    this.#state = 'ended'
    this.#settleStart(this.#cause ?? new Error('The PGlite thread ended.'))
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of pending) reject(DatabaseError.stopped(this.#cause))
    this.#events.ended(this.#cause)
  }
}

function startError(directory: string, reply: EngineReply | Error): PgliteStartError {
  const text = `PGlite could not open ${directory}: `
  if (reply instanceof Error)
    return new PgliteStartError('not_opened', text + reply.message, { cause: reply })
  if (reply.type === 'failed') return new PgliteStartError(reply.code, text + reply.message)
  return new PgliteStartError('not_opened', `${text}its thread began with "${reply.type}".`)
}
