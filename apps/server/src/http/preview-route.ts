import type { Logger } from 'pino'
import type { Page, Previews } from '../ends/page-end.js'
import type { VisitorRoute } from './page-route.js'
import { FAILURE_MS, PreviewStore, PreviewsBusyError } from './preview-store.js'

export interface PreviewRouteOptions {
  page: Pick<Page, 'find' | 'slugOf'>
  previews: Previews
  logger: Logger
}

const WEEK_S = 604_800
const MINUTES_S = 300
/** When to ask again, in s: where a lookup failed or many wait, and where the drawing did. */
const RETRY_S = 5
const REDRAW_S = FAILURE_MS / 1_000

/** Headers of every picture. Others may show it: that is what it is for. */
const PREVIEW_HEADERS = {
  'content-security-policy': "default-src 'none'",
  'content-type': 'image/png',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const

/**
 * `/{slug}.png`: the picture of a visitor's shared link; `v` in its query is the version of the name. Only names of
 * visitors are drawn, so that nobody can have a text of their own put into our picture.
 */
export function previewRoute({ page, previews, logger }: PreviewRouteOptions): VisitorRoute {
  const store = new PreviewStore(logged(previews.draw, logger))
  return async (request, keep) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refusal(405, 'method_not_allowed', 'Only GET and HEAD here', { allow: 'GET, HEAD' })
    const { pathname, searchParams } = new URL(request.url)
    const segment = /^(\/[^/]+)\.png$/.exec(pathname)?.[1]
    const slug = segment === undefined ? undefined : page.slugOf(segment)
    if (slug === undefined) return noVisitor()
    try {
      const visitor = await page.find(slug, request.signal, keep)
      if (!visitor) return noVisitor()
      const { body, etag } = await store.get(visitor.name)
      // Without the present version in its address, the picture may change at any time: it is kept for minutes only.
      const age = searchParams.get('v') === previews.version(visitor.name) ? WEEK_S : MINUTES_S
      const headers = { ...PREVIEW_HEADERS, etag, 'cache-control': `public, max-age=${age}` }
      if (isKnown(etag, request.headers.get('if-none-match')))
        return new Response(null, { status: 304, headers })
      return new Response(request.method === 'HEAD' ? null : body, {
        headers: { ...headers, 'content-length': String(body.length) },
      })
    } catch (error) {
      if (error instanceof PreviewsBusyError)
        return refusal(503, 'previews_busy', error.message, { 'retry-after': String(RETRY_S) })
      if (error instanceof DrawingError) return failure(REDRAW_S)
      // Whoever went away while we looked is no failure.
      if (!request.signal.aborted) logger.error({ err: error }, 'a picture for a shared link failed')
      return failure(RETRY_S)
    }
  }
}

/** A drawing that failed, and that the log has. */
class DrawingError extends Error {
  override readonly name = 'DrawingError'
}

/** Logs each drawing that fails, however many wait for it or ask again. */
const logged =
  (draw: Previews['draw'], logger: Logger): Previews['draw'] =>
  async (name) => {
    try {
      return await draw(name)
    } catch (cause) {
      logger.error({ err: cause }, 'a picture for a shared link could not be drawn')
      throw new DrawingError('The picture could not be drawn', { cause })
    }
  }

const failure = (retryS: number) =>
  refusal(503, 'preview_failed', 'The picture could not be made; ask again later', {
    'retry-after': String(retryS),
  })

const noVisitor = () => refusal(404, 'visitor_not_found', 'There is no visitor of this slug')

function refusal(status: number, code: string, message: string, headers?: Record<string, string>): Response {
  return Response.json(
    { code, message },
    { status, headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex', ...headers } },
  )
}

/** Pictures that a client may say it has: so many are looked at. */
const MOST_KNOWN = 20

/** True when a client says that it has this picture (RFC 9110, 13.1.2). */
function isKnown(etag: string, known: string | null): boolean {
  const tags = known?.split(',', MOST_KNOWN).map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
