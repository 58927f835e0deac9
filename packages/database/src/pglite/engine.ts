import type { Worker } from 'node:worker_threads'
import type { EngineAnswer, EngineReply, EngineRequest, Work } from './engine-message.js'
import { Pulse } from './pulse.js'
import { takeThread } from './thread.js'

export interface EngineEvents {
  onAnswered(answer: EngineAnswer): void
  onNotification(channel: string, payload: string): void
  /** The thread has ended, asked or not: it answers nothing any more, and writes nothing. */
  onEnded(cause: Error | undefined): void
}

/** Of the thread's `ready`. */
type Started = Pick<Extract<EngineReply, { type: 'ready' }>, 'created' | 'badTemplate'>

/** PGlite did not start; `code` says whether it would not have kept what it commits. */
export class PgliteStartError extends Error {
  override readonly name = 'PgliteStartError'
  readonly code: 'not_durable' | 'not_opened'

  constructor(code: 'not_durable' | 'not_opened', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The life of one thread that PGlite runs in, seen from the main one. It answers in the order it is asked. */
export class Engine {
  readonly pulse = new Pulse()
  readonly #worker: Worker
  readonly #events: EngineEvents
  readonly #started: Promise<Started>
  readonly #exited: Promise<void>
  #settleStart: (reply: EngineReply | Error) => void = () => {}
  #last = 0
  #serving = false
  #ending = false
  #cause: Error | undefined

  private constructor(directory: string, events: EngineEvents) {
    this.#worker = takeThread()
    this.#send({ type: 'open', directory, memory: this.pulse.memory })
    this.#events = events
    this.#started = new Promise((resolve, reject) => {
      this.#settleStart = (reply) => {
        if (!(reply instanceof Error) && reply.type === 'ready') resolve(reply)
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

  /**
   * Starts the thread and resolves when Postgres in it takes statements; `created` when the directory was empty, `badTemplate` when that was harder than usual.
   * @throws PgliteStartError
   */
  static async start(directory: string, events: EngineEvents): Promise<Started & { engine: Engine }> {
    const engine = new Engine(directory, events)
    try {
      const { created, badTemplate } = await engine.#started
      engine.#serving = true
      return { engine, created, badTemplate }
    } catch (error) {
      await engine.#worker.terminate()
      throw error
    }
  }

  /** Asks for something; the number by which its answer and the pulse name it. */
  post(work: Work): number {
    const id = ++this.#last
    this.#send({ type: 'work', id, work })
    return id
  }

  /** Ends the thread in whatever it does, as a crash would. */
  async kill(cause: Error): Promise<void> {
    this.#cause ??= cause
    await this.#worker.terminate()
  }

  /** Lets what was asked before finish, for `graceMs` at most, then ends the thread. */
  async close(graceMs: number): Promise<void> {
    this.#ending = true
    this.#send({ type: 'close' })
    const tooLong = setTimeout(() => void this.#worker.terminate(), graceMs)
    await this.#exited
    clearTimeout(tooLong)
  }

  #send(request: EngineRequest): void {
    this.#worker.postMessage(request)
  }

  #receive(reply: EngineReply): void {
    if (reply.type === 'notification') this.#events.onNotification(reply.channel, reply.payload)
    else if (reply.type === 'ready' || reply.type === 'failed') this.#settleStart(reply)
    else if (reply.type === 'broken') this.#cause = new Error(reply.message)
    else this.#events.onAnswered(reply)
  }

  #end(): void {
    if (!this.#ending) this.#cause ??= new Error('The PGlite thread ended by itself.')
    this.#settleStart(this.#cause ?? new Error('The PGlite thread ended.'))
    if (this.#serving) this.#events.onEnded(this.#cause)
  }
}

function startError(directory: string, reply: EngineReply | Error): PgliteStartError {
  const text = `PGlite could not open ${directory}: `
  if (reply instanceof Error)
    return new PgliteStartError('not_opened', text + reply.message, { cause: reply })
  if (reply.type === 'failed') return new PgliteStartError(reply.code, text + reply.message)
  return new PgliteStartError('not_opened', `${text}its thread began with "${reply.type}".`)
}
