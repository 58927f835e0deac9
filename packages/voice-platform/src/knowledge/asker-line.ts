import { NoTurnError, WaitingLine, WaitingLines } from '@heyline/kit/waiting-line'

/** Files of one asker. More are refused, so that others find room in memory. */
const OWN = { atOnce: 1, waiting: 3, longestMs: 60_000 }
/** Of all askers, each with one file: the processor and the database are for the calls. */
const ALL = { atOnce: 1, waiting: 20, longestMs: 60_000 }

/** Lets the work for one file be done at a time, of each asker in turn: the slow files of one cost another about one turn. */
export class AskerLine {
  readonly #own = new WaitingLines(OWN)
  readonly #all = new WaitingLine(ALL)

  /** Works when the turn has come. Rejects with an error that is a crowd (`isCrowd`) where none came. */
  async run<Result>(asker: string, work: () => Promise<Result>): Promise<Result> {
    return await this.#own.run(asker, () => this.#all.run(work))
  }
}

/** Whether too many waited for their turn. */
export const isCrowd = (error: unknown): boolean => error instanceof NoTurnError
