import type { Leave } from '@heyline/kit/waiting-line'
import { CHECK_MS } from '../lines/while-allowed.js'
import { OperatorsError } from '../operators/operators-error.js'

/** Most that is handed on at once, in bytes: a client on a slow line takes as much in less than the longest wait. */
const PIECE = 65_536
/** How long a client may take nothing while others wait, in ms; as long as other answers may stay unread. */
const UNREAD_MS = 20_000
/** How often that is looked at, in ms. If this process itself was held up, its clients are not to blame. */
const LOOK_MS = 1_000

/** Who has the turn of a body. */
export interface Holder {
  /** Ends the turn. */
  leave: Leave
  /** Aborted when the client goes away. */
  left: AbortSignal
  /** Rejects once they may have no more of it. */
  check(): Promise<unknown>
  /** Whether others wait for a turn. */
  isWanted(): boolean
}

/**
 * The same body, whose turn ends with it: when all of it is read, when it breaks off, and when the client goes away. It breaks off once the
 * client may have no more of it, and where the client reads nothing of it while others wait.
 */
export const heldBody = (body: ReadableStream<Uint8Array>, holder: Holder): ReadableStream<Uint8Array> =>
  new ReadableStream(new HeldBody(body, holder), { highWaterMark: 0 })

class HeldBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #holder: Holder
  /** Read, and not yet handed on. */
  #rest: Uint8Array = new Uint8Array()
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #isAskedFor = false
  /** How long nothing was asked for, and how long ago was checked who asks, in ms. */
  #stillMs = 0
  #uncheckedMs = 0

  constructor(body: ReadableStream<Uint8Array>, holder: Holder) {
    this.#reader = body.getReader()
    this.#holder = holder
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { left } = this.#holder
    this.#timer = setInterval(() => this.#look(controller), LOOK_MS)
    left.addEventListener('abort', this.#cut, { once: true })
    if (left.aborted) this.#cut()
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#isAskedFor = true
    try {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#reader.read()
        if (done) {
          this.#end()
          return controller.close()
        }
        this.#rest = value
      }
      controller.enqueue(this.#rest.subarray(0, PIECE))
      this.#rest = this.#rest.subarray(PIECE)
      this.#isAskedFor = false
      this.#stillMs = 0
    } catch (error) {
      this.#end()
      throw error
    }
  }

  async cancel(reason: unknown): Promise<void> {
    this.#end()
    await this.#reader.cancel(reason)
  }

  #look(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { check, isWanted } = this.#holder
    const breakOff = (error: unknown) => {
      if (this.#isOver) return
      this.#cut()
      // Nobody may take what there is for the whole.
      controller.error(error)
    }
    this.#uncheckedMs += LOOK_MS
    if (this.#uncheckedMs >= CHECK_MS) {
      this.#uncheckedMs = 0
      check().catch(breakOff)
    }
    if (!this.#isAskedFor) this.#stillMs += LOOK_MS
    if (this.#stillMs >= UNREAD_MS && isWanted()) breakOff(unread())
  }

  readonly #cut = (): void => {
    this.#end()
    // What broke it off is no further news.
    this.#reader.cancel().catch(() => undefined)
  }

  #end(): void {
    this.#isOver = true
    clearInterval(this.#timer)
    this.#holder.left.removeEventListener('abort', this.#cut)
    this.#holder.leave()
  }
}

const unread = () =>
  new OperatorsError(
    'too_many_exports',
    `Others waited, and nothing of this export was read for ${UNREAD_MS / 1_000} seconds: ask for it again`,
  )
