import { hostedVisitorDesk, toldVisitors, type WireClient } from '@heyline/back-office'
import { type BackendAuthOptions, createBackend } from '@heyline/backend'
import { placeOf } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { boundedFetch } from '@heyline/kit/bounded-fetch'
import { SOMEWHERE } from '@heyline/kit/fair-line'
import type { Logger } from 'pino'
import { authKey } from '../keys/derived-keys.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { Settings } from '../settings/settings.js'
import { hostedVisitorSearch } from '../visitors/hosted-visitor-search.js'
import { hostedVisitors } from '../visitors/hosted-visitors.js'
import { ownVisitors, type VisitorParts } from '../visitors/own-visitors.js'
import { consoleUrl } from './console-url.js'
import { type Handler, type InProcessFetch, inProcess } from './in-process.js'

const BASE = '/-/backend'
/** The most of a Supabase project's answer: one visitor's row, or a page of accounts. Everybody who opens a page asks for one. */
const PROJECT_ANSWER = { bytes: 1_000_000, values: 20_000 }

/** The Supabase wire as the rest of the house uses it, whoever runs it. */
export interface BackendEnd extends VisitorParts {
  /** Base URL for browsers. */
  url: string
  /** The publishable key. */
  key: string
  /** The key that shows what the assistant is told about a visitor: the secret one where the page's does not. */
  textsKey: string
  /** How this process reaches it. */
  fetch: InProcessFetch
  /** How this process asks for somebody, who is told to the built-in end; undefined where the wire is hosted elsewhere. */
  fetchFor?: ((client: WireClient) => typeof fetch) | undefined
  description: string
  /** Serves `/-/backend`: the built-in end, or its functions alone where the wire is hosted elsewhere. */
  handler: Handler
  /** Whether a request for it is one of the page's own reads; never where it is hosted elsewhere. */
  isPageRead: (request: Request) => Promise<boolean>
  /** A new key signs access tokens from now on; undefined where the wire is hosted elsewhere. */
  rotateKeys?: (() => Promise<{ kid: string }>) | undefined
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>
}

export interface BackendEndOptions {
  settings: Settings
  db: Db
  keys: KeyRing
  publicUrl: string
  functions: Record<string, Handler>
  /** Who sent a request. */
  addressOf: BackendAuthOptions['addressOf']
  /** Whether a page of another site has it sent. Left out: none is. */
  isForeign?: BackendAuthOptions['isForeign']
  /** Says who sent a request of ours. */
  keepAddress: (request: Request, address: string | undefined) => void
  /** Where codes of second factors go by text message; left out: there are no phone factors. */
  sendText?: BackendAuthOptions['sendText']
  /** Where the auth wire's mail goes; left out: no mail is sent. */
  sendMail?: BackendAuthOptions['sendMail']
  logger: Logger
}

export function openBackend({
  settings,
  db,
  keys,
  publicUrl,
  functions,
  addressOf,
  isForeign = () => false,
  keepAddress,
  sendText,
  sendMail,
  logger,
}: BackendEndOptions): BackendEnd {
  const { publishable, secret, jwtSecret } = keys
  const minted = settings.webCalls === 'minted'
  const { backend: hosted } = settings
  const auth = {
    issuer: `${publicUrl}${BASE}/auth/v1`,
    key: authKey(keys),
    siteUrl: consoleUrl(publicUrl),
    addressOf,
    isForeign,
    sendText,
    sendMail,
  }
  const backend = createBackend({
    db,
    keys: { publishable, secret, jwtSecret },
    visitorAccess: settings.visitorAccess,
    hidesTexts: minted,
    functions,
    auth: hosted ? undefined : auth,
    base: BASE,
    placeOf: (request) => {
      const address = addressOf(request)
      return address === undefined ? SOMEWHERE : placeOf(address)
    },
    logger,
  })
  if (hosted) {
    const table = hostedVisitors(hosted)
    return {
      url: hosted.url,
      key: hosted.publishableKey,
      textsKey: (minted && hosted.secretKey) || hosted.publishableKey,
      fetch: boundedFetch(undefined, () => PROJECT_ANSWER),
      visitors: toldVisitors(table, { db, actor: async () => 'operator', logger }),
      visitorSearch: hostedVisitorSearch(hosted),
      visitorDesk: hostedVisitorDesk(table, { db, logger }),
      description: hosted.url,
      handler: functionsOnly((request) => backend.fetch(request)),
      isPageRead: async () => false,
      close: () => backend.close(),
    }
  }
  const url = `${publicUrl}${BASE}`
  return {
    url,
    key: publishable,
    textsKey: minted ? secret : publishable,
    fetch: inProcess(url, (request) => backend.fetch(request)),
    fetchFor: ({ address, userAgent = '' }) => {
      const reach = inProcess(url, (request) => {
        keepAddress(request, address)
        return backend.fetch(request)
      })
      return (input, init) =>
        reach(input, { ...init, headers: { ...Object(init?.headers), 'user-agent': userAgent } })
    },
    ...ownVisitors(db),
    description: `built-in, on ${db.kind === 'pglite' ? `PGlite in ${settings.dataDirectory}` : 'Postgres'}`,
    handler: (request) => backend.fetch(request),
    isPageRead: (request) => backend.isPageRead(request),
    rotateKeys: backend.auth?.rotateKeys,
    close: () => backend.close(),
  }
}

/** With visitors hosted elsewhere, reading our own empty table would only mislead. */
const functionsOnly =
  (handler: Handler): Handler =>
  async (request) =>
    new URL(request.url).pathname.startsWith(`${BASE}/functions/`)
      ? handler(request)
      : Response.json({ message: 'This wire is hosted elsewhere: see SUPABASE_URL' }, { status: 404 })
