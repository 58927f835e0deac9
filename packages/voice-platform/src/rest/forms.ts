import { NoTurnError, WaitingLine } from '@heyline/kit/waiting-line'
import { ApiError } from '../resources/api-error.js'
import { bodyBytes } from './bounded-body.js'

/** Forms that are in memory at once. */
const TURNS = { atOnce: 2, waiting: 10, longestMs: 60_000 }
const RETRY_SECONDS = 10

/** Reads multipart forms, a few at a time. */
export class Forms {
  readonly #line = new WaitingLine(TURNS)
  readonly #mostBytes: number

  /** @param mostBytes of a whole form. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Rejects with an `ApiError`. A form counts until the work with it is done. */
  async take<Taken>(request: Request, work: (form: FormData) => Promise<Taken>): Promise<Taken> {
    const type = request.headers.get('content-type') ?? ''
    if (!/^multipart\/form-data\s*;/i.test(type))
      throw new ApiError(400, 'The body is no multipart/form-data.')
    try {
      return await this.#line.run(async () => {
        const bytes = await bodyBytes(request, this.#mostBytes)
        return work(await formOf(bytes, type))
      }, request.signal)
    } catch (error) {
      if (!(error instanceof NoTurnError)) throw error
      throw new ApiError(503, 'Too many files are sent now. Try again in a moment.', {
        cause: error,
        retryAfterSeconds: RETRY_SECONDS,
      })
    }
  }
}

async function formOf(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw new ApiError(400, 'The body is no multipart form that can be read.', { cause })
  }
}
