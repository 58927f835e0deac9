import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CallDesk, createCallDesk } from '@heyline/call-desk'
import { type Db, migrate, openPglite, openPostgres } from '@heyline/database'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { bannerText } from './banner.js'
import { type BackendEnd, openBackend } from './ends/backend-end.js'
import { builtPage, type PageOptions, sourcePage } from './ends/page-end.js'
import { openPlatform, type PlatformEnd } from './ends/platform-end.js'
import { httpApp } from './http/app.js'
import { listen } from './http/listening.js'
import { inProcess } from './http/mount.js'
import { platformOrigins } from './http/origins.js'
import { pageRoute } from './http/page-route.js'
import { contentSecurityPolicy } from './http/security-headers.js'
import { socketRoutes } from './http/socket-routes.js'
import { acceptUpgrades } from './http/upgrade.js'
import { openKeyRing } from './keys/key-ring.js'
import { removeServerFile, writeServerFile } from './server-file.js'
import type { Settings } from './settings/settings.js'
import { warningsOf } from './warnings.js'

/** Plain SQL for PGlite, Postgres and Supabase: shim, migrations, seed. */
export const SQL_FOLDER = new URL('../../../supabase/', import.meta.url)

export interface HeylineOptions {
  settings: Settings
  logger: Logger
  /** Serve the page from its sources. */
  dev?: boolean
  /** Longest that a page waits for its visitor's lookup, in ms. */
  lookupWaitMs?: number
}

export interface Heyline {
  url: string
  /** What to say on standard output, once. */
  banner: string
  close(): Promise<void>
}

/** Opens the house room by room; what was opened is closed in reverse, also when a later room can't be. */
export async function startHeyline(options: HeylineOptions): Promise<Heyline> {
  const { settings, logger, dev = false, lookupWaitMs } = options
  const closers: (() => Promise<unknown> | unknown)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return await open()
  } catch (error) {
    await close().catch((err) => logger.error({ err }, 'closing after a failed start failed too'))
    throw error
  }

  async function open(): Promise<Heyline> {
    const { dataDirectory } = settings
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
    const keys = openKeyRing(dataDirectory, settings.keys)
    const listening = await listen(settings.port, settings.host)
    closers.push(() => listening.close())
    const publicUrl = settings.publicUrl ?? `http://localhost:${listening.port}`

    const db = await openDb(settings, logger)
    closers.push(() => db.close())
    await migrate(db, { folder: SQL_FOLDER })

    // The rooms know each other through these two: the desk is called by the backend's function and the platform's
    // hook, and calls both of them. They are functions of a request, so the order of opening does not matter.
    let desk: CallDesk | undefined
    const webhook = (request: Request) => (desk ? desk.webhook(request) : deskIsOff())
    const hook = (request: Request) => (desk ? desk.hook(request) : deskIsOff())

    const backend = openBackend({ settings, db, keys, publicUrl, functions: { 'call-me': webhook }, logger })
    const platform = await openPlatform({
      settings,
      db,
      keys,
      publicUrl,
      fetch: inProcess(`${publicUrl}/-/hooks/platform`, hook),
      logger,
    })
    closers.push(() => platform.close())

    const pageOptions = { backend, settings: pageSettings(settings, backend, platform) }
    const page = dev ? await sourcePage(pageOptions) : await builtPage(pageOptions)
    if ('vite' in page) closers.push(() => page.vite.close())

    if (!settings.callWebhookUrl) {
      desk = createCallDesk({
        db,
        platform: platform.client,
        assistantId: platform.assistantId,
        phoneNumberId: platform.phoneNumberId,
        findVisitor: (slug) => page.find(slug),
        hookSecret: keys.hookSecret,
        logger,
      })
      const opened = desk
      closers.push(() => opened.close())
      await opened.start()
    }

    const policy = {
      publicUrl,
      connect: hostedOrigins(settings),
      daily: settings.platform !== undefined,
      styleHashes: 'styleHashes' in page ? page.styleHashes : [],
    }
    const app = httpApp({
      db,
      backend,
      platform,
      hook: settings.callWebhookUrl ? undefined : hook,
      page: pageRoute({
        page,
        policy: dev ? undefined : contentSecurityPolicy(policy),
        lookupWaitMs,
        logger,
      }),
      assetFolders: 'assetsDirectory' in page ? [page.assetsDirectory] : [],
      phonePolicy: contentSecurityPolicy({ ...policy, connect: [], daily: false, styleHashes: [] }),
      phoneKey: settings.keys.phone,
      adminSecret: keys.secret,
      publicUrl,
      logger,
    })
    const answer = getRequestListener(app.fetch)
    if ('vite' in page)
      listening.server.on('request', (request, response) =>
        page.vite.middlewares(request, response, () => answer(request, response)),
      )
    else listening.server.on('request', answer)
    if (platform.builtIn) {
      const { builtIn } = platform
      const origins = platformOrigins(publicUrl, settings.allowedOrigins)
      const phoneKey = settings.keys.phone
      const sockets = acceptUpgrades(
        listening.server,
        socketRoutes({ builtIn, origins, phoneKey, publicUrl }),
        logger,
      )
      closers.push(() => sockets.close())
    }
    writeServerFile(dataDirectory, { url: localUrl(settings.host, listening.port), pid: process.pid })
    closers.push(() => removeServerFile(dataDirectory))
    logger.info({ url: publicUrl, database: db.kind }, 'ready')
    return { url: publicUrl, banner: await banner(settings, publicUrl, backend, platform, desk), close }
  }
}

/** How a command on this machine reaches the server, past any proxy. */
function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const openDb = ({ databaseUrl, dataDirectory }: Settings, logger: Logger): Promise<Db> =>
  databaseUrl
    ? openPostgres({ url: databaseUrl, logger })
    : openPglite({ directory: join(dataDirectory, 'pglite'), logger })

const deskIsOff = async () =>
  Response.json(
    { code: 'desk_off', message: 'The call desk is off: CALL_WEBHOOK_URL names another' },
    { status: 404 },
  )

/** Addresses of our own ends are paths, so that the page works under every name that reaches us. */
function pageSettings(
  settings: Settings,
  backend: BackendEnd,
  platform: PlatformEnd,
): PageOptions['settings'] {
  return {
    backendUrl: settings.backend ? backend.url : '/-/backend',
    backendKey: backend.key,
    callWebhookUrl: settings.callWebhookUrl ?? '/-/backend/functions/v1/call-me',
    platformUrl: settings.platform ? platform.url : '/-/platform',
    platformPublicKey: platform.publicKey,
    assistantId: platform.assistantId,
    websiteUrl: settings.websiteUrl,
    visitorHeader: settings.visitorHeader,
    logVisitors: settings.logVisitors,
  }
}

const hostedOrigins = ({ backend, platform, callWebhookUrl }: Settings): string[] =>
  [backend?.url, platform?.url, callWebhookUrl]
    .filter((url) => url !== undefined)
    .map((url) => new URL(url).origin)

async function banner(
  settings: Settings,
  url: string,
  backend: BackendEnd,
  platform: PlatformEnd,
  desk: CallDesk | undefined,
): Promise<string> {
  const first = settings.backend ? [] : (await backend.visitors.list()).slice(0, 2)
  const simulated = platform.builtIn?.carrier.simulated !== undefined
  return bannerText({
    url,
    slugs: first.map(({ slug }) => slug),
    phone: simulated ? `${url}/-/phone${settings.keys.phone ? '?key=PHONE_KEY' : ''}` : undefined,
    ends: {
      Backend: backend.description,
      Calls: desk
        ? 'our own call desk'
        : `${settings.callWebhookUrl} (our call desk, its limits and live status are off)`,
      Platform: platform.description,
    },
    warnings: warningsOf(settings, platform),
  })
}
