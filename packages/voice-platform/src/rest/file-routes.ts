import { Readable } from 'node:stream'
import { isOneLine } from '@heyline/kit/one-line'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { FileRefused } from '../knowledge/file-intake.js'
import type { FilePart, SignedFileLinks } from '../knowledge/file-links.js'
import { fileView } from '../knowledge/file-row.js'
import type { Knowledge } from '../knowledge/knowledge.js'
import { FILE_TYPES } from '../knowledge/parsing/file-kind.js'
import { ApiError } from '../resources/api-error.js'
import { askerOf, type Doorkeeper } from './access.js'
import { parseBody, resourceId } from './parse-request.js'
import { TextDownloads } from './text-downloads.js'
import { Uploads } from './upload.js'

const updateFile = z.strictObject({
  name: z.string().min(1).max(40).refine(isOneLine, { error: 'must be one line of text' }).optional(),
})

const STATUSES = { invalid_file: 400, too_large: 413, full: 413, busy: 503, gone: 409 } as const

export interface FileRoutes {
  knowledge: Knowledge
  fileLinks: SignedFileLinks
  doorkeeper: Doorkeeper
}

/** The installation's files. Those of visitors are not among them. */
export function serveFiles(app: Hono, { knowledge, fileLinks, doorkeeper }: FileRoutes): void {
  const files = knowledge.files('installation')
  const uploads = new Uploads()
  const admit = (context: Context) => doorkeeper.admit(context.req.raw, 'private')
  const shown = (row: Parameters<typeof fileView>[0]) => fileView(row, fileLinks.of(row.id))

  for (const path of ['/file', '/file/upload'])
    app.post(path, async (context) => {
      const asker = askerOf(await admit(context))
      const check = () => doorkeeper.checkAfterWait(context.req.raw)
      const taken = await uploads.take(asker, context.req.raw, (file) =>
        knowledge.take('installation', file, asker, check).catch(refused),
      )
      return context.json(shown(taken), 201)
    })
  app.get('/file', async (context) => {
    await admit(context)
    return context.json((await files.list()).map(shown))
  })
  app.get('/file/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(shown(existing(id, await files.get(id))))
  })
  app.patch('/file/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    const { name } = await parseBody(context.req.raw, updateFile)
    await doorkeeper.takeTurn(context.req.raw)
    return context.json(shown(existing(id, await files.rename(id, name))))
  })
  app.delete('/file/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    await doorkeeper.takeTurn(context.req.raw)
    return context.json(shown(existing(id, await files.delete(id))))
  })

  const textDownloads = new TextDownloads()
  const signedText = ({ req: { raw } }: Context, id: string) =>
    textDownloads.read(doorkeeper.placeOf(raw), raw.signal, () => files.text(id))
  const download = (part: FilePart) => async (context: Context) => {
    const id = resourceId(context)
    // Whoever has the address needs no key.
    const isSigned = fileLinks.isSigned(id, part, context.req.query())
    if (!isSigned) await admit(context)
    const file = existing(id, await files.get(id))
    const readText = () => (isSigned ? signedText(context, id) : files.text(id))
    const text = part === 'text' ? await readText() : undefined
    if (part === 'text' && text === undefined) throw new ApiError(404, `File ${id} has no text.`)
    // A browser shows none of it as a page of ours.
    context.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
    context.header('x-content-type-options', 'nosniff')
    context.header('content-security-policy', 'sandbox')
    context.header('cache-control', 'private, no-store')
    context.header('content-type', part === 'text' ? 'text/plain; charset=utf-8' : FILE_TYPES[file.kind])
    return context.body(text ?? streamOf(files.content(id)))
  }
  app.get('/file/:id/content', download('content'))
  app.get('/file/:id/text', download('text'))
}

/** Read as the client takes it. */
const streamOf = (parts: AsyncIterable<Uint8Array>): ReadableStream =>
  Readable.toWeb(Readable.from(parts, { highWaterMark: 1 })) as ReadableStream

function refused(error: unknown): never {
  if (!(error instanceof FileRefused)) throw error
  const status = STATUSES[error.code]
  throw new ApiError(status, error.message, {
    cause: error,
    ...(status === 503 && { retryAfterSeconds: 10 }),
  })
}

function existing<Found>(id: string, file: Found | undefined): Found {
  if (file === undefined) throw new ApiError(404, `File ${id} does not exist.`)
  return file
}
