const BEGUN = 0
const FINISHED = 1
const CANCELLED = 2
const BUSY = 3
const LOGGED = 4
const CELLS = 5

/**
 * What the main thread and PGlite's tell one another past all messages, since a thread that is busy with a statement reads none:
 * memory of both. Statements are told apart by the numbers under which they were posted, from 1 on.
 *
 * The number in the cell `cancelled` is a fence: from then on that statement writes nothing any more, and no other begins. A
 * commit is a write to Postgres's log, so whoever has not answered a moment after its cancellation, and has written nothing there,
 * never will have committed.
 */
export class Pulse {
  readonly memory: SharedArrayBuffer
  readonly #cells: BigInt64Array

  constructor(memory = new SharedArrayBuffer(CELLS * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#cells = new BigInt64Array(memory)
  }

  /** The last statement that began; 0 for none. */
  get begun(): number {
    return this.#read(BEGUN)
  }

  /** The last statement that ran to its end, even if its answer was never heard. */
  get finished(): number {
    return this.#read(FINISHED)
  }

  /** Whether something is being written or put on disk right now, such as a commit. */
  get busy(): boolean {
    return this.#read(BUSY) === 1
  }

  /** The last statement that wrote to Postgres's log, or was about to: whether that was its commit is not known. 0 for none. */
  get logged(): number {
    return this.#read(LOGGED)
  }

  /** In the main thread: puts the fence up. */
  cancel(statement: number): void {
    Atomics.store(this.#cells, CANCELLED, BigInt(statement))
  }

  /** In the main thread: takes the fence down. */
  letGo(): void {
    if (Atomics.exchange(this.#cells, CANCELLED, 0n) !== 0n) Atomics.notify(this.#cells, CANCELLED)
  }

  /** In PGlite's thread. */
  begin(statement: number): void {
    this.#waitWhile((cancelled) => cancelled !== 0n)
    Atomics.store(this.#cells, BEGUN, BigInt(statement))
  }

  /** In PGlite's thread. */
  finish(statement: number): void {
    Atomics.store(this.#cells, FINISHED, BigInt(statement))
  }

  /** In PGlite's thread, each write to a file, `toLog` when to Postgres's log: a cancelled statement stops before it. */
  write<T>(write: () => T, toLog: boolean): T {
    for (;;) {
      this.#waitWhile((cancelled) => this.#isFenced(cancelled))
      // Busy first, then the look: whoever puts the fence up later finds this write under way.
      Atomics.store(this.#cells, BUSY, 1n)
      try {
        if (this.#isFenced(Atomics.load(this.#cells, CANCELLED))) continue
        if (toLog) Atomics.store(this.#cells, LOGGED, Atomics.load(this.#cells, BEGUN))
        return write()
      } finally {
        Atomics.store(this.#cells, BUSY, 0n)
      }
    }
  }

  /** In PGlite's thread. */
  sync(sync: () => void): void {
    Atomics.store(this.#cells, BUSY, 1n)
    try {
      sync()
    } finally {
      Atomics.store(this.#cells, BUSY, 0n)
    }
  }

  #isFenced(cancelled: bigint): boolean {
    return cancelled !== 0n && cancelled === Atomics.load(this.#cells, BEGUN)
  }

  #read(cell: number): number {
    return Number(Atomics.load(this.#cells, cell))
  }

  #waitWhile(holds: (cancelled: bigint) => boolean): void {
    for (;;) {
      const cancelled = Atomics.load(this.#cells, CANCELLED)
      if (!holds(cancelled)) return
      Atomics.wait(this.#cells, CANCELLED, cancelled)
    }
  }
}
