import { setImmediate as pause } from 'node:timers/promises'

export interface LookOptions {
  /** Aborted when nobody waits any more. */
  signal?: AbortSignal | undefined
  /** What of the lookup still goes on once it has resolved or rejected; undefined where nothing does. Never rejects. */
  unfinished?: (() => Promise<unknown> | undefined) | undefined
}

/** Lookups that run together as long as there is room. The others wait for the end of one, in their order. */
export class LookupLine {
  readonly #room: () => number
  #running = 0
  /** Those that waited, and are about to begin. */
  #called = 0
  #next: (() => void)[] = []

  /** `room` says how many may run now. */
  constructor(room: () => number) {
    this.#room = room
  }

  /** Nothing runs, and nothing waits. */
  get isEmpty(): boolean {
    return this.#running + this.#called + this.#next.length === 0
  }

  /** Rejects with the signal's reason when it is aborted while the lookup waits. Its place goes back when its work has ended. */
  async run<Found>(look: () => Promise<Found>, { signal, unfinished }: LookOptions = {}): Promise<Found> {
    let hasWaited = false
    while (!this.#hasRoom) {
      hasWaited = true
      await this.#turn(signal)
      this.#called--
    }
    this.#running++
    try {
      // Lookups that follow on each other at once would let nothing else happen until all of a flood are answered.
      const looked = hasWaited ? pause().then(look) : look()
      // There may be room for more than one.
      this.#callNext()
      return await looked
    } finally {
      const goesOn = unfinished?.()
      if (goesOn) void goesOn.then(() => this.#end())
      else this.#end()
    }
  }

  #end(): void {
    this.#running--
    this.#callNext()
  }

  get #hasRoom(): boolean {
    return this.#running + this.#called < this.#room()
  }

  /** Resolves when this lookup is called: another one has ended. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#next = this.#next.filter((each) => each !== begin)
        reject(signal?.reason)
      }
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      this.#next.push(begin)
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted) leave()
    })
  }

  #callNext(): void {
    if (!this.#hasRoom) return
    const begin = this.#next.shift()
    if (!begin) return
    this.#called++
    begin()
  }
}
