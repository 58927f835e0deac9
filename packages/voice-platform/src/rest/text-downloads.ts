import { type Clock, systemClock } from '@heyline/kit/clock'
import { FairLine, type Place } from '@heyline/kit/fair-line'
import { NoTurnError } from '@heyline/kit/waiting-line'
import { DownloadPace } from '../recording/download-pace.js'
import { ApiError } from '../resources/api-error.js'

/** Texts are read one by one, 2 MB each at most, of each network in turn. */
const LINE = {
  atOnce: 1,
  waiting: { ofAddress: 100, ofNetwork: 200, networks: 200 },
  longestMs: 10_000,
}
const RETRY_AFTER_SECONDS = 5

/** Texts of files that are downloaded without a key, by a signed address: however many ask for them, pages and calls wait for one text at most. */
export class TextDownloads {
  readonly #line = new FairLine(LINE)
  readonly #pace: DownloadPace

  constructor(clock: Pick<Clock, 'monotonic' | 'after'> = systemClock) {
    this.#pace = new DownloadPace(clock)
  }

  /** Reads the text when its turn has come. Rejects with an `ApiError` 503 where none came. Whoever has gone meanwhile (`left`) has nothing read. */
  async read(
    place: Place,
    left: AbortSignal,
    text: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const inTurn = async () => {
      left.throwIfAborted()
      const found = await text()
      await this.#pace.take(Buffer.byteLength(found ?? ''))
      return found
    }
    return await this.#line.run(place, inTurn).catch((error) => {
      throw error instanceof NoTurnError || left.aborted ? tooMany(error) : error
    })
  }
}

const tooMany = (cause: unknown) =>
  new ApiError(503, 'Too many texts of files are downloaded. Try again in a moment.', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
