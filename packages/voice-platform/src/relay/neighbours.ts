import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { Holder } from './reach-process.js'
import type { Relay } from './relay.js'

/** How often new processes are looked for, in milliseconds. */
const LOOK_MS = 2_000
/** A process that was not reached for this long, and is still listed, lives: nothing is said before, in milliseconds. */
const PATIENCE_MS = 30_000

/** What to do where a server does not reach another one. */
export const HOW_TO_REACH =
  'let the servers reach each other at this address, or set RELAY_HOST, RELAY_PORT and RELAY_ADDRESS (docs/instances.md)'

export interface NeighboursOptions {
  db: Db
  relay: Relay
  clock: Clock
  logger: Logger
}

/**
 * The other processes that this one has reached at least once. Only they can be missed at once when they are killed: an address that never
 * led anywhere says nothing. One that is not reached is told of in the log, before a caller suffers from it.
 */
export class Neighbours {
  readonly #options: NeighboursOptions
  readonly #reached = new Set<string>()
  /** When each of the others was tried first. */
  readonly #tried = new Map<string, number>()
  readonly #told = new Set<string>()
  #stopTimer = () => {}
  #looking: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(options: NeighboursOptions) {
    this.#options = options
  }

  /** Whether this process was reached before. */
  has(processId: string): boolean {
    return this.#reached.has(processId)
  }

  start(): void {
    if (this.#closed) return
    this.#looking = this.#look()
      // A database that is away is told of by the heartbeat.
      .catch(() => undefined)
      .then(() => {
        if (!this.#closed) this.#stopTimer = this.#options.clock.after(LOOK_MS, () => this.start())
      })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stopTimer()
    await this.#looking
  }

  async #look(): Promise<void> {
    const { db, relay } = this.#options
    const { rows } = await db.query<Holder>(
      `select id as process, relay_address as address from voice_platform.processes
       where id <> $1 and relay_address is not null`,
      [relay.processId],
    )
    const listed = new Set(rows.map(({ process }) => process))
    for (const kept of [this.#reached, this.#tried, this.#told])
      for (const process of [...kept.keys()]) if (!listed.has(process)) kept.delete(process)
    await Promise.all(rows.map((row) => this.#reached.has(row.process) || this.#try(row)))
  }

  async #try(neighbour: Holder): Promise<void> {
    const { relay, clock, logger } = this.#options
    const { process, address } = neighbour
    const firstAt = this.#tried.get(process) ?? clock.monotonic()
    this.#tried.set(process, firstAt)
    try {
      const socket = await relay.reach(neighbour)
      socket.destroy()
      this.#reached.add(process)
      logger.info({ address }, 'another server of this installation is reached')
    } catch (error) {
      if (clock.monotonic() - firstAt < PATIENCE_MS || this.#told.has(process)) return
      this.#told.add(process)
      logger.warn(
        { err: error, address },
        `another server of this installation is not reached, so callers cannot be passed on to it: ${HOW_TO_REACH}`,
      )
    }
  }
}
