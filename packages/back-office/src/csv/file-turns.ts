import { NoTurnError, WaitingLine } from '@heyline/kit/waiting-line'
import { OperatorsError } from '../operators/operators-error.js'

/** Each file is held in memory, and so is one that waits. */
const FILES = { atOnce: 1, waiting: 4, longestMs: 5 * 60_000 }
const RETRY_SECONDS = 30

/** The turns of files that are read for operators, one at a time. */
export class FileTurns {
  readonly #line = new WaitingLine(FILES)

  /** Reads a file when its turn has come. Rejects with an `OperatorsError`, `busy`, where none came. */
  async run<Found>(read: () => Promise<Found>): Promise<Found> {
    const leave = await this.#line.enter().catch(refuse)
    try {
      return await read()
    } finally {
      leave()
    }
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof NoTurnError)) throw error
  throw new OperatorsError('busy', 'Other files are being read: try again in a minute', {
    cause: error,
    waitSeconds: RETRY_SECONDS,
  })
}
