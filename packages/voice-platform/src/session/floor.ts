/** Most contributions that have the floor or wait for it: some minutes of speech. Further ones are dropped. */
const MOST_WAITING = 20

/** Something that the assistant says, one at a time. It has the floor until `run` is over. */
export interface Contribution {
  /** The caller may interrupt it by speaking. */
  interruptible: boolean
  /** Ends soon after the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

interface Entry {
  contribution: Contribution
  controller: AbortController
  left(): void
}

export interface FloorEvents {
  /** The floor was taken or left. */
  onChanged(): void
  /** A contribution rejected; the next one follows. */
  onFailed(error: unknown): void
  /** A contribution was dropped because too many wait. */
  onFull(): void
}

/** Gives the assistant's contributions the floor one at a time. The others wait in order. */
export class Floor {
  readonly #events: FloorEvents
  #queue: Entry[] = []
  #running: Promise<void> | undefined
  #closed = false

  constructor(events: FloorEvents) {
    this.#events = events
  }

  /** Somebody has the floor or waits for it. */
  get busy(): boolean {
    return this.#queue.length > 0
  }

  /** Resolves when the contribution is over or was dropped. It is dropped at once if too many wait. */
  take(contribution: Contribution): Promise<void> {
    if (this.#closed) return Promise.resolve()
    if (this.#queue.length >= MOST_WAITING) {
      this.#events.onFull()
      return Promise.resolve()
    }
    return new Promise((left) => {
      this.#queue.push({ contribution, controller: new AbortController(), left })
      this.#running ??= this.#work()
    })
  }

  /** Aborts what the caller may interrupt, running or waiting; with `all`, everything. True if the one that had the floor was cut. */
  cut({ all = false } = {}): boolean {
    const dropped = this.#queue.filter(({ contribution }) => all || contribution.interruptible)
    const [current] = this.#queue
    this.#queue = this.#queue.filter((entry) => entry === current || !dropped.includes(entry))
    for (const entry of dropped) {
      entry.controller.abort(new DOMException('interrupted', 'AbortError'))
      if (entry !== current) entry.left()
    }
    return current !== undefined && dropped.includes(current)
  }

  /** Cuts everything for good; resolves when the one that had the floor has left it. */
  async close(): Promise<void> {
    this.#closed = true
    this.cut({ all: true })
    await this.#running
  }

  async #work(): Promise<void> {
    this.#events.onChanged()
    for (let entry = this.#queue[0]; entry; entry = this.#queue[0]) {
      const { contribution, controller } = entry
      try {
        if (!controller.signal.aborted) await contribution.run(controller.signal)
      } catch (error) {
        if (!controller.signal.aborted) this.#events.onFailed(error)
      }
      this.#queue.shift()
      entry.left()
    }
    this.#running = undefined
    this.#events.onChanged()
  }
}
