import { shortJsonExcess } from '@heyline/kit/json-excess'
import { z } from 'zod'
import { MOST_FILE_BYTES, type SentFile } from '../knowledge/file-intake.js'
import { Forms } from './forms.js'
import { parse } from './parse-request.js'

/** A file with what stands around it in a form. */
const MOST_BYTES = MOST_FILE_BYTES + 100_000

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
  readonly #forms = new Forms(MOST_BYTES)

  /** Rejects with an `ApiError`. The form counts until the work with it is done. */
  take<Taken>(asker: string, request: Request, work: (file: SentFile) => Promise<Taken>): Promise<Taken> {
    return this.#forms.take(asker, request, async (sent) => {
      const { file, purpose, metadata } = parse(Object.fromEntries(sent), form)
      const content = new Uint8Array(await file.arrayBuffer())
      return work({ name: file.name, mimetype: file.type, content, purpose, metadata })
    })
  }
}

function metadataOf(text: string): Record<string, unknown> | undefined {
  try {
    return shortJsonExcess(text, {})
      ? undefined
      : z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
