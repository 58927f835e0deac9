import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import Negotiator from 'negotiator'
import type { Logger } from 'pino'
import type { Page, PageState } from '../ends/page-end.js'
import type { Keep } from '../ends/unfinished-work.js'
import { PAGE_HEADERS } from './security-headers.js'

/** Answers for a visitor; `keep` gets the lookup, which may go on after the answer. */
export type VisitorRoute = (request: Request, keep?: Keep) => Promise<Response>

/** Answers with the screen of a page that does not exist; to who is refused, with this status and these headers besides its own. */
export type NobodysPage = (
  request: Request,
  refusal?: { status: number; headers: Record<string, string> },
) => Promise<Response>

/** Longest that the HTML waits for the lookup, in ms; past that the browser reads by itself. */
const LOOKUP_WAIT_MS = 200

export interface PageRouteOptions {
  page: Page
  /** The content security policy; undefined while Vite serves the sources, whose inline scripts it would forbid. */
  policy?: string
  /** What the page may ask the person for; nothing is said where it is left out. */
  permissions?: string
  /** In ms; for tests on machines that are busy with others. */
  lookupWaitMs?: number
  logger: Logger
}

/** Answers every path that is not ours (`/-/`) with the page, in the state that the lookup leaves it in. */
export function pageRoute({
  page,
  policy,
  permissions,
  lookupWaitMs = LOOKUP_WAIT_MS,
  logger,
}: PageRouteOptions): VisitorRoute {
  return async (request, keep) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response('Only GET and HEAD here\n', { status: 405, headers: { allow: 'GET, HEAD' } })
    const { pathname } = new URL(request.url)
    const state = await look({ page, pathname, keep, waitMs: lookupWaitMs, logger })
    const html = await page.render(state, pathname)
    const { body, encoding } = compressed(html, request.headers.get('accept-encoding') ?? '')
    const headers = new Headers({ ...PAGE_HEADERS, vary: 'accept-encoding' })
    if (policy) headers.set('content-security-policy', policy)
    if (permissions) headers.set('permissions-policy', permissions)
    if (encoding) headers.set('content-encoding', encoding)
    headers.set('content-length', String(body.length))
    return new Response(request.method === 'HEAD' ? null : body, { status: page.statusOf(state), headers })
  }
}

/**
 * Answers any path with the screen of a page that does not exist, made once for each encoding: who is refused a page asks on.
 */
export function nobodysPageRoute(options: PageRouteOptions): NobodysPage {
  const route = pageRoute({ ...options, page: { ...options.page, slugOf: () => undefined } })
  const made = new Map<string, Screen>()
  return async (request, refusal) => {
    const isRead = ['GET', 'HEAD'].includes(request.method)
    const encoding = encodingFor(request.headers.get('accept-encoding') ?? '') ?? ''
    let screen = made.get(encoding)
    if (!screen || !isRead) {
      screen = await screenOf(
        await route(isRead ? new Request(request.url, { headers: request.headers }) : request),
      )
      // From its sources the page changes.
      if (options.policy !== undefined && isRead) made.set(encoding, screen)
    }
    const { body, status, headers } = screen
    // Plain headers and bytes are sent as they are: for a flood, nothing is copied, and no stream is made and read.
    return new Response(request.method === 'HEAD' ? null : body, {
      status: refusal?.status ?? status,
      headers: { ...headers, ...refusal?.headers },
    })
  }
}

/** An answer that can be given again. */
interface Screen {
  body: Uint8Array<ArrayBuffer>
  status: number
  headers: Record<string, string>
}

const screenOf = async (answer: Response): Promise<Screen> => ({
  body: new Uint8Array(await answer.arrayBuffer()),
  status: answer.status,
  headers: Object.fromEntries(answer.headers),
})

interface Looking extends Pick<PageRouteOptions, 'page' | 'logger'> {
  pathname: string
  keep: Keep | undefined
  waitMs: number
}

async function look({ page, pathname, keep, waitMs, logger }: Looking): Promise<PageState> {
  const slug = page.slugOf(pathname)
  if (slug === undefined) return { kind: 'not-found', reason: 'no-visitor' }
  const given = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, waitMs, 'late')
  })
  const lookup = page.find(slug, given.signal, keep)
  try {
    const found = await Promise.race([lookup, patience])
    if (found !== 'late') return page.stateOf(found)
    // The browser reads by itself now: nobody waits for this lookup any more.
    lookup.catch(() => {})
    given.abort()
    return { kind: 'loading' }
  } catch (error) {
    logger.error({ err: error }, 'a visitor lookup failed')
    return { kind: 'not-found', reason: 'lookup-failed' }
  } finally {
    clearTimeout(timer)
  }
}

/** The smaller one first. */
const ENCODINGS = ['br', 'gzip'] as const
/** Longest `Accept-Encoding` that is looked at, in characters. Browsers send some thirty, and a list of thousands takes milliseconds. */
const LONGEST_ACCEPTED = 200

function encodingFor(accepted: string): (typeof ENCODINGS)[number] | undefined {
  if (accepted.length > LONGEST_ACCEPTED) return undefined
  const acceptable = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings([...ENCODINGS])
  return ENCODINGS.find((ours) => acceptable.includes(ours))
}

function compressed(
  html: string,
  accepted: string,
): { body: Uint8Array<ArrayBuffer>; encoding?: 'br' | 'gzip' } {
  const encoding = encodingFor(accepted)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  if (encoding === 'br') return { body: new Uint8Array(brotliCompressSync(html, { params })), encoding }
  if (encoding === 'gzip') return { body: new Uint8Array(gzipSync(html)), encoding }
  return { body: new TextEncoder().encode(html) }
}
