import { NoTurnError, WaitingLine, type WaitingLineOptions, WaitingLines } from '@heyline/kit/waiting-line'

export interface AskerLineOptions {
  /** Of one asker. */
  own: WaitingLineOptions
  /** Of all askers, each with what `own` lets through. */
  all: WaitingLineOptions
}

/** Lets work be done a little at a time, of each asker in turn: what one of them sends costs another about one turn. */
export class AskerLine {
  readonly #own: WaitingLines
  readonly #all: WaitingLine

  constructor({ own, all }: AskerLineOptions) {
    this.#own = new WaitingLines(own)
    this.#all = new WaitingLine(all)
  }

  /** Works when the turn has come. Rejects with an error that is a crowd (`isCrowd`) where none came, and with the signal's reason once it is aborted. */
  async run<Result>(asker: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return await this.#own.run(asker, () => this.#all.run(work, signal), signal)
  }
}

/** Whether too many waited for their turn. */
export const isCrowd = (error: unknown): boolean => error instanceof NoTurnError
