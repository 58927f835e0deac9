import { isSameSecret } from '@heyline/kit/secret'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import type { UnfinishedWork } from '../ends/unfinished-work.js'
import { namedSlug } from '../visitors/slug-header.js'
import type { ClientAddresses } from './client-addresses.js'
import { FairTurns } from './fair-turns.js'
import type { LookupTurns } from './lookup-turns.js'
import type { NobodysPage } from './page-route.js'

type Exists = (slug: string) => Promise<boolean>

export interface SlugLookupsOptions {
  turns: LookupTurns
  clients: ClientAddresses
  /** A lookup that goes on after its request keeps its place. */
  work: UnfinishedWork
  /** Whether there is a visitor with this slug; case does not count. Undefined where another wire tells that to everybody. */
  exists: Exists | undefined
  /** Answers any path with the screen of a page that does not exist, without a lookup. */
  nobodysPage: NobodysPage
  /** Whether a read over the wire is one of the page's own. */
  isPageRead: (request: Request) => Promise<boolean>
  /** Who has the secret key may read everything, and guesses nothing. */
  secretKey: string
}

const REST = '/-/backend/rest/'
/** A function answers below its own path as well. */
const FUNCTIONS = /^\/-\/backend\/functions\/v1\/(call-me|web-call)(\/|$)/
/** Names its visitor by the header, and is counted by that. */
const PLATFORM_CALLS = /^\/-\/platform\/(call|chat)(\/|$)/
const PREVIEWS = '/-/previews/'
/** Tells nothing of visitors, but each challenge takes milliseconds of everybody's time. */
const CHALLENGE = '/-/human-check'
/** The page without a slug, which monitors ask for, and what browsers and crawlers ask every site for by themselves. */
const NOBODYS_GUESS = /^\/(|favicon\.ico|robots\.txt|apple-touch-icon[\w-]*\.png|\.well-known\/.*)$/

/** Of an answer that nobody reads, and that nothing is made for: a client may give up hundreds of requests at once. */
const CLIENT_GONE = 499

type IsMiss = (request: Request, response: Response) => boolean | Promise<boolean>

/**
 * Takes every request that tells whether there is a visitor through its turn: pages, their pictures, reads, the two functions, and calls
 * and chats at the built-in platform; and those for a challenge.
 */
export function slugLookups(options: SlugLookupsOptions): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const { turns, clients, work } = options
  // Hundreds may run out of time, or be given up, in the same moment.
  const unserved = new FairTurns()
  return async (context, next) => {
    const request = context.req.raw
    const isMiss = missOf(request, context.req.path, options)
    const { incoming } = context.env
    const asker = isMiss && clients.asker(request, incoming)
    if (!isMiss || !asker) return next()
    const look = async () => {
      await next()
      return { isMiss: await isMiss(request, context.res) }
    }
    let refusal: Refusal = MISSES
    const turn = {
      signal: request.signal,
      isGuess: isMiss !== isNever,
      inLineOf: await lineOf(request, context.req.path, options),
      unfinished: () => work.of(incoming),
      onNoTurn: () => {
        refusal = BUSY
      },
    }
    const retryAfterMs = await turns.look(asker, look, turn).catch((error: unknown) => {
      if (!request.signal.aborted) throw error
      return 0
    })
    if (retryAfterMs === undefined) return
    await new Promise<void>((goOn) => unserved.run(asker.address, goOn))
    if (request.signal.aborted) return new Response(null, { status: CLIENT_GONE })
    const isPage = !context.req.path.startsWith('/-/')
    return await (isPage ? refusedPage(request, retryAfterMs, options) : refusedWire(refusal, retryAfterMs))
  }
}

/** A person sees a screen, and no more of it than where there is no such visitor. */
async function refusedPage(
  request: Request,
  retryAfterMs: number,
  { nobodysPage }: SlugLookupsOptions,
): Promise<Response> {
  return await nobodysPage(request, { status: 429, headers: { 'retry-after': retryAfter(retryAfterMs) } })
}

interface Refusal {
  code: string
  message: string
}

const MISSES: Refusal = {
  code: 'too_many_misses',
  message: 'Too many pages from here were not found: wait a little',
}
/** Whether there is such a page is not known. */
const BUSY: Refusal = {
  code: 'busy',
  message: 'Too many pages are asked for just now. Try again in a moment.',
}

/** Pages of other origins may read the wire, and so also that it refused. */
const refusedWire = (refusal: Refusal, retryAfterMs: number): Response =>
  Response.json(refusal, {
    status: 429,
    headers: {
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'retry-after': retryAfter(retryAfterMs),
    },
  })

const retryAfter = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1_000)))

/** How the answer to this request tells that there is no such visitor; undefined where it needs no turn. */
function missOf(request: Request, path: string, options: SlugLookupsOptions): IsMiss | undefined {
  if (request.method === 'OPTIONS') return undefined
  const { exists, secretKey } = options
  if (path.startsWith(REST)) return exists && !hasSecret(request, secretKey) ? isEmptyRead(exists) : undefined
  if (FUNCTIONS.test(path) || path.startsWith(PREVIEWS)) return isNotFound
  if (path === CHALLENGE) return isNever
  if (PLATFORM_CALLS.test(path)) return exists && namedSlug(request) ? isNobodys(exists) : undefined
  if (path.startsWith('/-/')) return undefined
  return NOBODYS_GUESS.test(path) ? isNever : isNotFound
}

/**
 * Where what only reads visitors takes its turn: pages, their own reads over the wire, pictures. A call waits for its body and for others, and
 * other reads over the wire wait in a line of the backend's: nobody waits for that.
 */
async function lineOf(
  request: Request,
  path: string,
  { isPageRead }: SlugLookupsOptions,
): Promise<'reads' | 'pictures' | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  if (path.startsWith(PREVIEWS)) return 'pictures'
  if (path.startsWith(REST)) return (await isPageRead(request)) ? 'reads' : undefined
  return path.startsWith('/-/') ? undefined : 'reads'
}

/** Whose key does not hold: no visitor was looked for. That a role may not read something is said by the database. */
const isWrongKey = ({ status, headers }: Response): boolean =>
  status === 401 && headers.get('proxy-status')?.endsWith('error=42501') !== true

/** Of what is no guess: a flood of it waits behind itself, too. */
const isNever: IsMiss = () => false

const isNotFound: IsMiss = (_, { status }) => status === 404

/**
 * A read without rows, or one that names a slug which is nobody's: such a read answers with the listed visitors all the same. An error
 * counts too: Postgres quotes the row that it failed at, and so tells which rows there are.
 */
const isEmptyRead =
  (exists: Exists): IsMiss =>
  async (request, response) => {
    if (isWrongKey(response)) return false
    const range = response.headers.get('content-range')
    // The one row that was asked for as an object is not there.
    if (response.status === 406 || range?.startsWith('*/')) return true
    return await isNobodys(exists)(request, response)
  }

/** The answer is the same for everybody, but how many calls there may be is not. */
const isNobodys =
  (exists: Exists): IsMiss =>
  async (request) => {
    const slug = namedSlug(request)
    return slug !== undefined && !(await exists(slug))
  }

function hasSecret({ headers }: Request, secretKey: string): boolean {
  const bearer = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return [headers.get('apikey'), bearer].some((key) => key != null && isSameSecret(key, secretKey))
}
