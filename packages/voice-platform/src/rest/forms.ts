import { loopTurn } from '@heyline/kit/loop-turn'
import { ApiError } from '../resources/api-error.js'
import { AskerLine, isCrowd } from '../work/asker-line.js'
import { bodyBytes } from './bounded-body.js'
import { boundaryOf, formExcess, MOST_HEADER_BYTES, MOST_PARTS } from './form-parts.js'

/** Two forms are in memory at once, each of another asker. Those that wait are not read yet. */
const TURNS = {
  own: { atOnce: 1, waiting: 11, longestMs: 60_000 },
  all: { atOnce: 2, waiting: 20, longestMs: 60_000 },
}
const RETRY_SECONDS = 10

const EXCESS = {
  parts: `The form has more than ${MOST_PARTS} parts.`,
  header: `The form has a part whose header is longer than ${MOST_HEADER_BYTES} bytes: shorten its name or its file's name.`,
}

/** Reads multipart forms, a few at a time, of each asker in turn. */
export class Forms {
  readonly #line = new AskerLine(TURNS)
  readonly #mostBytes: number

  /** @param mostBytes of a whole form. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Rejects with an `ApiError`. A form counts until the work with it is done. */
  async take<Taken>(
    asker: string,
    request: Request,
    work: (form: FormData) => Promise<Taken>,
  ): Promise<Taken> {
    const type = request.headers.get('content-type') ?? ''
    if (!/^multipart\/form-data\s*;/i.test(type))
      throw new ApiError(400, 'The body is no multipart/form-data.')
    const boundary = boundaryOf(type)
    if (boundary === undefined)
      throw new ApiError(400, 'The content-type of the form names no boundary of 1 to 70 characters.')
    try {
      const inTurn = async () => work(await formOf(await bodyBytes(request, this.#mostBytes), boundary))
      return await this.#line.run(asker, inTurn, request.signal)
    } catch (error) {
      if (!isCrowd(error)) throw error
      throw new ApiError(503, 'Too many files are sent now. Try again in a moment.', {
        cause: error,
        retryAfterSeconds: RETRY_SECONDS,
      })
    }
  }
}

/** The parser is given the boundary that was looked for, however the request wrote it. */
async function formOf(bytes: Uint8Array<ArrayBuffer>, boundary: string): Promise<FormData> {
  const excess = formExcess(bytes, boundary)
  if (excess) throw new ApiError(400, EXCESS[excess])
  // Looking and parsing take a tenth of a second each for the largest form.
  await loopTurn()
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  try {
    return await new Response(bytes, { headers }).formData()
  } catch (cause) {
    throw new ApiError(400, 'The body is no multipart form that can be read.', { cause })
  }
}
