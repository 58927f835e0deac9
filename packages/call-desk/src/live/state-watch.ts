import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { errorCode } from '../run/error-code.js'
import { type CallStatus, readStatuses } from './call-status.js'
import { StatusStream } from './status-stream.js'

/** The channel on which the database tells every change of a state, with the request's id. */
export const STATES_CHANNEL = 'call_desk_states'

/** Streams of one process, and of one request in it. */
const MOST_STREAMS = 1000
const MOST_OF_ONE = 20

export interface StateWatchOptions {
  db: Db
  logger: Logger
  /** Between two signs of life, with which all states are read again: a notification that was lost costs so long. */
  heartbeatMs: number
}

/** Tells any number of streams of new states, with one LISTEN and one reader. */
export class StateWatch {
  readonly #options: StateWatchOptions
  readonly #streams = new Map<string, Set<StatusStream>>()
  /** Requests to read next. */
  readonly #changed = new Set<string>()
  #reading: Promise<void> | undefined
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #listening: Promise<() => Promise<void>> | undefined
  #count = 0
  #open = true

  constructor(options: StateWatchOptions) {
    this.#options = options
  }

  /** A stream that hears of a request until it ends; undefined where there are too many, or the watch is closed. */
  follow(id: string): StatusStream | undefined {
    const streams = this.#streams.get(id) ?? new Set()
    if (!this.#open || this.#count >= MOST_STREAMS || streams.size >= MOST_OF_ONE) return undefined
    const stream = new StatusStream(() => this.#remove(id, stream))
    this.#streams.set(id, streams.add(stream))
    this.#count++
    this.#heartbeat ??= setInterval(() => this.#beat(), this.#options.heartbeatMs)
    return stream
  }

  /** The present status, read when nothing that follows it can be missed any more; undefined where there is no such request. */
  async read(id: string): Promise<CallStatus | undefined> {
    await this.#listen()
    const [status] = await readStatuses(this.#options.db, [id])
    return status
  }

  /** Ends all streams. Idempotent. */
  async close(): Promise<void> {
    this.#open = false
    this.#end(this.#streams.keys())
    const listening = this.#listening
    this.#listening = undefined
    const unlisten = await listening?.catch(() => undefined)
    await unlisten?.()
    await this.#reading
  }

  #listen(): Promise<unknown> {
    if (this.#listening || !this.#open) return Promise.resolve(this.#listening)
    const listening = this.#options.db.listen(STATES_CHANNEL, (id) => {
      if (this.#streams.has(id)) this.#refresh([id])
    })
    this.#listening = listening
    // The next stream tries again.
    listening.catch(() => {
      if (this.#listening === listening) this.#listening = undefined
    })
    return listening
  }

  #beat(): void {
    for (const stream of [...this.#streams.values()].flatMap((streams) => [...streams])) stream.beat()
    this.#refresh(this.#streams.keys())
  }

  #refresh(ids: Iterable<string>): void {
    for (const id of ids) this.#changed.add(id)
    this.#reading ??= this.#readChanged()
  }

  async #readChanged(): Promise<void> {
    while (this.#changed.size > 0) {
      const ids = [...this.#changed]
      this.#changed.clear()
      try {
        const statuses = new Map((await readStatuses(this.#options.db, ids)).map((each) => [each.id, each]))
        for (const id of ids) this.#tell(id, statuses.get(id))
      } catch (error) {
        this.#options.logger.warn({ reason: errorCode(error) }, 'the states of calls could not be read')
        // Browsers come back by themselves, and a broken stream says more than a silent one.
        this.#end(ids)
      }
    }
    this.#reading = undefined
  }

  #tell(id: string, status: CallStatus | undefined): void {
    if (!status) this.#end([id])
    else for (const stream of [...(this.#streams.get(id) ?? [])]) stream.tell(status)
  }

  #end(ids: Iterable<string>): void {
    for (const id of [...ids]) for (const stream of [...(this.#streams.get(id) ?? [])]) stream.end()
  }

  #remove(id: string, stream: StatusStream): void {
    const streams = this.#streams.get(id)
    if (!streams?.delete(stream)) return
    if (streams.size === 0) this.#streams.delete(id)
    this.#count--
    if (this.#count > 0) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }
}
