import { type Leave, NoTurnError, WaitingLine, WaitingLines } from '@heyline/kit/waiting-line'
import type { Asked } from '../access/asked.js'
import { LinesError } from '../lines/lines-error.js'
import { BODY_LIMIT, type Operation } from '../operations/operation.js'
import { OperatorsError } from '../operators/operators-error.js'

/** Files that one operator sends. The others wait unread, and beyond these they are refused. */
const OWN_FILES = { atOnce: 2, waiting: 2, longestMs: 10_000 }
/** Files that all operators send. */
const ALL_FILES = { atOnce: 4, waiting: 20, longestMs: 10_000 }
const FILE_RETRY_SECONDS = 10

/** A body that may be longer is a file. */
const LONGEST_OF_NO_FILE = 1_000_000

/** Most that is held of what one operator sends, in bytes. */
const MOST_OF_ONE = 250_000_000
/** Most that is held of what all of them send, in bytes: others have room beside one. */
const MOST_OF_ALL = 350_000_000
/** A value takes so many bytes more than its line has. */
const VALUE_BYTES = 100
const FULL_RETRY_SECONDS = 30

/** Counts what is held of one body. */
export interface HeldBytes {
  /** So many bytes came. Throws where that is too much: an `OperatorsError`, `busy`, or a `LinesError`. */
  add(bytes: number): void
  /** So many values were made of them. Throws as `add` does. */
  addValues(count: number): void
}

/**
 * What operators send is in memory until it is stored: bounds how much of it there is, and how many send files. All keys and sessions of an
 * operator share theirs.
 */
export class BodyTurns {
  readonly #own = new WaitingLines(OWN_FILES)
  readonly #all = new WaitingLine(ALL_FILES)
  readonly #heldOf = new Map<string, number>()
  #held = 0

  /**
   * Reads a body and works with it, for a file when its turn has come. It counts until the work is done. Rejects with an `OperatorsError`,
   * `too_many_imports`, where no turn came, and with the reason of `left` if that is first.
   */
  async run<Answer>(
    { operator, left }: Pick<Asked, 'operator' | 'left'>,
    operation: Operation,
    work: (held: HeldBytes) => Promise<Answer>,
  ): Promise<Answer> {
    const who = operator?.userId ?? 'secret key'
    const leave = isFile(operation) ? await this.#enter(who, left) : () => undefined
    let bytes = 0
    const add = (more: number) => {
      bytes += more
      this.#count(who, more)
      if (this.#held > MOST_OF_ALL) throw full()
      if ((this.#heldOf.get(who) ?? 0) > MOST_OF_ONE) throw tooMuch()
    }
    try {
      return await work({ add, addValues: (count) => add(count * VALUE_BYTES) })
    } finally {
      this.#count(who, -bytes)
      leave()
    }
  }

  #enter(who: string, left: AbortSignal): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const held = () => new Promise<void>((leave) => resolve(leave))
      this.#own.run(who, () => this.#all.run(held, left), left).catch((error) => reject(refusalOf(error)))
    })
  }

  #count(who: string, bytes: number): void {
    this.#held += bytes
    const own = (this.#heldOf.get(who) ?? 0) + bytes
    if (own > 0) this.#heldOf.set(who, own)
    else this.#heldOf.delete(who)
  }
}

const isFile = ({ bodyLines, longest = BODY_LIMIT }: Operation): boolean =>
  bodyLines !== undefined || longest > LONGEST_OF_NO_FILE

const full = () =>
  new OperatorsError('busy', 'Others are sending large files: try again in a minute', {
    waitSeconds: FULL_RETRY_SECONDS,
  })

const tooMuch = () =>
  new LinesError(
    `What you send takes more than ${MOST_OF_ONE / 1_000_000} MB of memory at once: send one file after the other, or split it`,
  )

function refusalOf(error: unknown): unknown {
  if (!(error instanceof NoTurnError)) return error
  return new OperatorsError(
    'too_many_imports',
    'Too many files are sent already: an operator may send two at once, and all together four. Try again when one has ended',
    { cause: error, waitSeconds: FILE_RETRY_SECONDS },
  )
}
