import { NoTurnError, WaitingLine } from '@heyline/kit/waiting-line'
import { z } from 'zod'
import { MOST_FILE_BYTES, type SentFile } from '../knowledge/file-intake.js'
import { ApiError } from '../resources/api-error.js'
import { boundedBytes } from './bounded-body.js'
import { parse } from './parse-request.js'

/** A file with what stands around it in a form. */
const MOST_BYTES = MOST_FILE_BYTES + 100_000
/** Forms that are in memory at once. */
const TURNS = { atOnce: 2, waiting: 10, longestMs: 60_000 }
const RETRY_SECONDS = 10

const MOST_PURPOSE = 100
const MOST_METADATA = 10_000

const form = z.strictObject({
  file: z.file('must be a file of a multipart form'),
  purpose: z.string().max(MOST_PURPOSE).optional(),
  metadata: z
    .string()
    .max(MOST_METADATA)
    .transform((text, context) => {
      const read = metadataOf(text)
      if (read) return read
      context.addIssue({ code: 'custom', message: 'must be a JSON object' })
      return z.NEVER
    })
    .optional(),
})

/** Reads forms with a file, a few at a time. */
export class Uploads {
  readonly #line = new WaitingLine(TURNS)

  /** Rejects with an `ApiError`. The form counts until the work with it is done. */
  async take<Taken>(request: Request, work: (file: SentFile) => Promise<Taken>): Promise<Taken> {
    const type = request.headers.get('content-type') ?? ''
    if (!/^multipart\/form-data\s*;/i.test(type))
      throw new ApiError(400, 'The body is no multipart/form-data.')
    try {
      return await this.#line.run(async () => work(await sentFile(request, type)), request.signal)
    } catch (error) {
      if (!(error instanceof NoTurnError)) throw error
      throw new ApiError(503, 'Too many files are sent now. Try again in a moment.', {
        cause: error,
        retryAfterSeconds: RETRY_SECONDS,
      })
    }
  }
}

async function sentFile(request: Request, type: string): Promise<SentFile> {
  const bytes = await boundedBytes(request, MOST_BYTES)
  const { file, purpose, metadata } = parse(await fieldsOf(bytes, type), form)
  return {
    name: file.name,
    mimetype: file.type,
    content: new Uint8Array(await file.arrayBuffer()),
    purpose,
    metadata,
  }
}

async function fieldsOf(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Record<string, unknown>> {
  try {
    return Object.fromEntries(await new Response(bytes, { headers: { 'content-type': type } }).formData())
  } catch (cause) {
    throw new ApiError(400, 'The body is no multipart form that can be read.', { cause })
  }
}

function metadataOf(text: string): Record<string, unknown> | undefined {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
