import type { Engine } from './engine.js'
import { mayCommit, type Task } from './task.js'

/** Whose statement it is. */
type Watched = Pick<Engine, 'pulse'>

/** How long a cancelled statement that may commit still has to answer, in ms: what committed just before does so at once. */
const GRACE_MS = 100

/**
 * Watches the statement at the head of the queue. PGlite cannot cancel one (its thread hears nothing meanwhile), so after its
 * patience the statement is fenced off from the disk, and its thread is given up if it does not answer now.
 */
export class Watchdog {
  readonly #onTooSlow: (task: Task) => void
  #timer: NodeJS.Timeout | undefined
  #fenced: Watched | undefined

  /** `onTooSlow` is called when the task is not about to answer: unless it has written to the log (`Pulse.logged`), it never will have committed. */
  constructor(onTooSlow: (task: Task) => void) {
    this.#onTooSlow = onTooSlow
  }

  /** Watches this one instead of the one before. */
  watch(engine: Watched, task: Task): void {
    this.rest()
    if (task.patienceMs === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(() => this.#fence(engine, task), task.patienceMs)
  }

  rest(): void {
    clearTimeout(this.#timer)
    this.#fenced?.pulse.letGo()
    this.#fenced = undefined
  }

  #fence(engine: Watched, task: Task): void {
    if (engine.pulse.begun !== task.id) {
      this.watch(engine, task) // it has only been posted: the thread was kept from it by something else
      return
    }
    engine.pulse.cancel(task.id)
    this.#fenced = engine
    if (mayCommit(task)) this.#timer = setTimeout(() => this.#judge(engine, task), GRACE_MS)
    else this.#judge(engine, task) // whatever it did is rolled back: everybody else has waited long enough
  }

  #judge(engine: Watched, task: Task): void {
    const { pulse } = engine
    if (pulse.busy || pulse.finished === task.id) {
      // It may be a commit that is on its way to the disk, or an answer on its way here.
      this.#timer = setTimeout(() => this.#judge(engine, task), GRACE_MS)
      return
    }
    this.#fenced = undefined // the fence stays: this thread is given up
    this.#onTooSlow(task)
  }
}
