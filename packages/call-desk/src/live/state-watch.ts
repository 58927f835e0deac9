import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { errorCode } from '../run/error-code.js'
import { type CallStatus, readStatuses } from './call-status.js'
import { StatusStream } from './status-stream.js'

/** The channel on which the database tells every change of a state, with the request's id. */
export const STATES_CHANNEL = 'call_desk_states'

/** Streams of one process, of one request in it, and of one client. */
const MOST_STREAMS = 1000
const MOST_OF_ONE = 20
const MOST_OF_CLIENT = 10

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
  /** The same by client, each client's oldest first; those of clients that nobody can tell apart lie together. */
  readonly #ofClients = new Map<string | undefined, Set<StatusStream>>()
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

  /** A stream that hears of a request until it ends; or why there is none: the client has all it may, or there is no place. */
  follow(id: string, client?: string): StatusStream | 'too_many_streams' | 'unavailable' {
    const own = this.#ofClients.get(client) ?? new Set()
    if (client !== undefined && own.size >= MOST_OF_CLIENT) return 'too_many_streams'
    if (!this.#open || (this.#streams.get(id)?.size ?? 0) >= MOST_OF_ONE) return 'unavailable'
    if (this.#count >= MOST_STREAMS && !this.#makePlace(own.size)) return 'unavailable'
    const stream = new StatusStream(() => this.#remove(id, client, stream))
    this.#streams.set(id, (this.#streams.get(id) ?? new Set()).add(stream))
    this.#ofClients.set(client, own.add(stream))
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

  /**
   * Ends the oldest stream of the client that has most of them, where that is more than the one who comes would have then. So nobody takes
   * all places: who has one of his own keeps it, and who has none gets one. A browser whose stream was ended comes back by itself.
   */
  #makePlace(ownSize: number): boolean {
    let most = new Set<StatusStream>()
    for (const streams of this.#ofClients.values()) if (streams.size > most.size) most = streams
    if (most.size <= ownSize + 1) return false
    const [oldest] = most
    oldest?.end()
    return true
  }

  #remove(id: string, client: string | undefined, stream: StatusStream): void {
    const streams = this.#streams.get(id)
    if (!streams?.delete(stream)) return
    if (streams.size === 0) this.#streams.delete(id)
    const own = this.#ofClients.get(client)
    own?.delete(stream)
    if (own?.size === 0) this.#ofClients.delete(client)
    this.#count--
    if (this.#count > 0) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }
}
