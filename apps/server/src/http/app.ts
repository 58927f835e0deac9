import type { IncomingMessage } from 'node:http'
import type { CallDesk } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import type { BoundedLog } from '@heyline/kit/bounded-log'
import { API_PATH, roomSign } from '@heyline/voice-platform'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { OlderFiles } from '../builds/older-files.js'
import type { Readiness } from '../drain/readiness.js'
import type { BackendEnd } from '../ends/backend-end.js'
import type { Handler } from '../ends/in-process.js'
import type { OperatorsEnd } from '../ends/operators-end.js'
import { type PlatformEnd, platformOrigins } from '../ends/platform-end.js'
import type { UnfinishedWork } from '../ends/unfinished-work.js'
import type { Ready } from '../ready/ready.js'
import { allowOrigins } from './allowed-origins.js'
import { assets } from './assets.js'
import { checkTurns } from './check-turns.js'
import { clientOf } from './client.js'
import type { ClientAddresses } from './client-addresses.js'
import { deskRoutes } from './desk-routes.js'
import { embed } from './embed.js'
import { failedRequest } from './failed-request.js'
import { Health } from './health.js'
import { KnownSlugs } from './known-slugs.js'
import type { LookupTurns } from './lookup-turns.js'
import { type Installation, type OfficeParts, office } from './office.js'
import type { OpensRoute } from './opens-route.js'
import type { NobodysPage, VisitorRoute } from './page-route.js'
import { mayUsePhone, pocketPhoneManifest, pocketPhonePage } from './pocket-phone.js'
import { slugLookups } from './slug-lookups.js'

export interface AppOptions {
  db: Db
  backend: BackendEnd
  platform: PlatformEnd
  /** Undefined while our own call desk is off. */
  desk?: CallDesk | undefined
  /** What the gate lets pass. */
  gates: OfficeParts['gates']
  endpoints: OfficeParts['endpoints']
  /** Pages may follow their calls. */
  liveStatus: boolean
  /** Is told who sends what the call desk gets. */
  clients: ClientAddresses
  /** Is told of lookups that may outlast their request. */
  work: UnfinishedWork
  /** Slows down who guesses slugs; undefined: nobody. */
  turns?: LookupTurns | undefined
  page: VisitorRoute
  /** The page's screen for what does not exist, at any path. */
  nobodysPage: NobodysPage
  /** The pictures of shared links; undefined where they can't be drawn. */
  preview?: VisitorRoute | undefined
  /** Where pages tell that somebody has opened them; undefined: nowhere. */
  opens?: OpensRoute | undefined
  /** Folders of hashed files. */
  assetFolders: readonly string[]
  /** Hashed files of other builds. */
  olderFiles?: OlderFiles | undefined
  /** The content security policy of the pocket phone. */
  phonePolicy: string
  phoneKey?: string
  /** Who calls, for the pocket phone. */
  callerName: string
  /** Where operators sign in. */
  console: Handler
  secretKey: string
  /** Undefined: there can be none. */
  operators: OperatorsEnd | undefined
  installation: Installation
  /** Answers `/-/metrics`. */
  metrics: Handler
  /** Answers `/-/mirror`. */
  mirror: (request: Request, incoming: IncomingMessage) => Promise<Response>
  /** Says of a nonce what only this server can (`server-proof.ts`). */
  prove: (nonce: string) => string | undefined
  /** Reasons why this process should be sent no work. */
  readiness: Readiness
  /** Answers `/-/live` and `/-/ready`. */
  ready: Pick<Ready, 'live' | 'ready'>
  publicUrl: string
  /** The page of a visitor of this name, as HTML without scripts. */
  renderPage: (name: string, scheme: 'light' | 'dark') => Promise<string>
  /** Whose pages may ask the functions and the call desk: our own origin under all its names, and those of `ALLOWED_ORIGINS`. */
  allowedOrigins: readonly string[]
  /** Tells of requests that failed. */
  log: BoundedLog
}

type App = Hono<{ Bindings: HttpBindings }>

/** The one rule for URLs: everything of ours lives under `/-/`, and every other path is the page's. */
export function httpApp(options: AppOptions): App {
  const { backend, platform, desk, clients, work, publicUrl } = options
  const app: App = new Hono()
  const origins = allowOrigins(options.allowedOrigins)
  const page = ({ req, env }: Context<{ Bindings: HttpBindings }>) =>
    options.page(req.raw, work.keeperOf(env.incoming))

  // No web request can have this method: whoever looked at one would fail.
  app.on('TRACE', '*', (context) =>
    context.json({ code: 'method_not_allowed', message: 'TRACE is not served' }, 405),
  )
  const { turns } = options
  if (turns) {
    const known = new KnownSlugs(async (slug) => (await backend.visitors.taken([slug])).length > 0)
    app.use(
      slugLookups({
        turns,
        clients,
        work,
        // What is hosted elsewhere answers for itself, and tells us only of some of its visitors.
        exists: backend.fetchFor && ((slug) => known.has(slug)),
        nobodysPage: options.nobodysPage,
        isPageRead: backend.isPageRead,
        secretKey: options.secretKey,
      }),
    )
  }
  app.use(checkTurns(clients))
  app.route('/-/assets', assets(options.assetFolders, options.olderFiles))
  app.route('/-/embed', embed(options.olderFiles))
  const { preview } = options
  if (preview)
    app.mount('/-/previews', (request: Request, { incoming }: HttpBindings) =>
      preview(request, work.keeperOf(incoming)),
    )
  app.all('/-/backend/functions/*', (context) => {
    clients.keep(context.req.raw, context.env.incoming)
    return origins(context.req.raw, (request) => backend.handler(request))
  })
  app.all('/-/backend/*', (context) => {
    clients.keep(context.req.raw, context.env.incoming)
    return backend.handler(context.req.raw)
  })
  const { builtIn } = platform
  if (builtIn)
    app.all(`${API_PATH}/*`, ({ req, env }) => {
      clients.keep(req.raw, env.incoming)
      return builtIn.platform.fetch(req.raw)
    })
  if (builtIn) app.all('/-/recordings/:name', ({ req }) => builtIn.platform.recording(req.raw))
  if (builtIn) app.all('/-/rooms/:callId', () => roomSign())
  const { twilio } = builtIn?.carrier ?? {}
  if (twilio) app.all('/-/carriers/twilio/*', (context) => twilio.fetch(context.req.raw))
  if (desk) app.route('/-', deskRoutes({ desk, liveStatus: options.liveStatus, clients, origins }))
  const { opens } = options
  if (opens)
    app.all('/-/opens', ({ req, env }) => origins(req.raw, (request) => opens(request, env.incoming)))
  if (builtIn?.carrier.simulated) {
    const { phoneKey, phonePolicy, callerName } = options
    const keyOf = ({ req }: Context) => req.query('key') ?? null
    const mayUse = (context: Context<{ Bindings: HttpBindings }>) =>
      mayUsePhone(clientOf(context.env.incoming, publicUrl), keyOf(context), phoneKey)
    app.get('/-/phone', (context) => pocketPhonePage(mayUse(context), phonePolicy, callerName))
    app.get('/-/phone.webmanifest', (context) => pocketPhoneManifest(mayUse(context), keyOf(context)))
  }
  // Each of its places has an address of its own, and the same document.
  app.all('/-/console/*', (context) => options.console(context.req.raw))
  const health = new Health({ db: options.db, prove: options.prove, readiness: options.readiness })
  app.get('/-/health', (context) => health.answer(context.req.query('nonce')))
  app.get('/-/live', () => options.ready.live())
  app.get('/-/ready', () => options.ready.ready())
  app.all('/-/metrics', (context) => options.metrics(context.req.raw))
  app.all('/-/mirror', ({ req, env }) => options.mirror(req.raw, env.incoming))
  const { operators } = options
  const addressOf = (request: Request) => clients.of(request)
  app.use('/-/office/*', (context, next) => {
    clients.keep(context.req.raw, context.env.incoming)
    return next()
  })
  app.route(
    '/-/office',
    office({
      visitors: backend.visitors,
      visitorSearch: backend.visitorSearch,
      visitorDesk: backend.visitorDesk,
      publicUrl,
      renderPage: options.renderPage,
      db: options.db,
      platform: platform.client,
      gates: options.gates,
      callDesk: desk,
      endpoints: options.endpoints,
      secretKey: options.secretKey,
      addressOf,
      origins: platformOrigins(publicUrl, []),
      operators,
      rotateKeys: backend.rotateKeys,
      installation: options.installation,
    }),
  )
  // The slug `-`: what is ours is below it.
  app.all('/-', page)
  app.all('/-/*', (context) => context.json({ code: 'not_found', message: 'Nothing is served here' }, 404))
  app.all('*', page)
  app.onError(failedRequest(options.log))
  return app
}
