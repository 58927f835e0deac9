import { type Leave, NoTurnError, WaitingLine, WaitingLines } from '@heyline/kit/waiting-line'
import { type Asked, nameOf } from '../access/asked.js'
import { OperatorsError } from '../operators/operators-error.js'

/** Files of one operator: each is held in memory, and so is one that waits. */
const OWN = { atOnce: 1, waiting: 4, longestMs: 5 * 60_000 }
const RETRY_SECONDS = 30

/** Lets a part of each other file that waits be read first. */
export type Pass = () => Promise<void>

/** The turns of files that are read for operators: one file of each, and of these one at a time, in short parts. */
export class FileTurns {
  readonly #own = new WaitingLines(OWN)
  // Without a bound of time: a file that has begun is not left in its midst. Each operator has one there.
  readonly #all = new WaitingLine({ atOnce: 1 })

  /**
   * Reads a file when its turn has come; `read` passes the turn on after each part. Rejects with an `OperatorsError`, `busy`, where none came,
   * and with the reason of `left` if that is first.
   */
  async run<Found>(
    asked: Pick<Asked, 'operator' | 'left'>,
    read: (pass: Pass) => Promise<Found>,
  ): Promise<Found> {
    const leaveOwn = await this.#own.enter(nameOf(asked), asked.left).catch(refuse)
    try {
      return await this.#inParts(asked.left, read)
    } finally {
      leaveOwn()
    }
  }

  async #inParts<Found>(left: AbortSignal, read: (pass: Pass) => Promise<Found>): Promise<Found> {
    let leave: Leave = await this.#all.enter(left)
    let isOver = false
    const pass = async () => {
      if (!this.#all.isWanted) return
      leave()
      const next = await this.#all.enter(left)
      // The reading may have ended while this waited.
      if (isOver) next()
      else leave = next
    }
    try {
      return await read(pass)
    } finally {
      isOver = true
      leave()
    }
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof NoTurnError)) throw error
  throw new OperatorsError('busy', 'Other files of yours are being read: try again in a minute', {
    cause: error,
    waitSeconds: RETRY_SECONDS,
  })
}
