import { Hono } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { isHashed } from '../builds/front-end-files.js'
import type { OlderFiles } from '../builds/older-files.js'
import { OwnFiles } from '../builds/own-files.js'

/** Flags keep their country's name. */
const FLAG = /^flags\/[A-Z]{2}\.svg$/

const YEAR_S = 31_536_000
const DAY_S = 86_400

/** Where files are served, with what each answer has besides, and which files keep their name from build to build. */
export interface AssetsPlace {
  path: string
  headers?: Readonly<Record<string, string>>
  named?: { files: RegExp; seconds: number }
}

const ASSETS: AssetsPlace = { path: '/-/assets/', named: { files: FLAG, seconds: DAY_S } }

/**
 * The front ends' files under `/-/assets`, beside their `.br` and `.gz` forms; looked for in each folder in turn, and hashed ones then among
 * those of other builds. What lies in those folders besides, such as manifests and documents, is not served.
 */
export function assets(
  folders: readonly string[],
  older?: Pick<OlderFiles, 'find'>,
  { path, headers = {}, named }: AssetsPlace = ASSETS,
): Hono {
  const fileOf = (asked: string) => asked.replace(path, '')
  const app = new Hono()
  app.use('/*', async ({ req, notFound }, next) => {
    const file = fileOf(req.path)
    return isHashed(file) || named?.files.test(file) ? next() : notFound()
  })
  app.use('/*', async (context, next) => {
    await next()
    // What nobody has another process may have in a moment.
    const { ok } = context.res
    const age = isHashed(fileOf(context.req.path)) ? `${YEAR_S}, immutable` : named?.seconds
    context.header('cache-control', ok ? `public, max-age=${age}` : 'no-store')
    if (!ok) return
    context.header('vary', 'Accept-Encoding')
    context.header('x-content-type-options', 'nosniff')
    for (const [name, value] of Object.entries(headers)) context.header(name, value)
  })
  const own = new OwnFiles(folders)
  app.get('/*', async (context, next) => {
    const { req } = context
    const file = fileOf(req.path)
    const accepted = req.header('accept-encoding')
    const found =
      (await own.find(file, accepted)) ?? (isHashed(file) ? await older?.find(file, accepted) : undefined)
    if (!found) return next()
    if (found.encoding) context.header('content-encoding', found.encoding)
    context.header('content-type', getMimeType(file) ?? 'application/octet-stream')
    context.header('content-length', String(found.body.length))
    return context.body(found.body)
  })
  return app
}
