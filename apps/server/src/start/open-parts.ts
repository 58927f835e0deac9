import { keepHiding, keepUndoBounded } from '@heyline/back-office'
import type { CallDesk } from '@heyline/call-desk'
import { type Db, keepLogShort, keepTidy } from '@heyline/database'
import type { BoundedLog } from '@heyline/kit/bounded-log'
import { keepTimelineBounded } from '@heyline/timeline'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { removeUnsent } from '../backups/backup-stream.js'
import { ScheduledBackups } from '../backups/scheduled-backups.js'
import { openBuilds } from '../builds/builds-end.js'
import { databaseName, SQL_FOLDER } from '../database/open-db.js'
import { drainServer, type ServerDrainPlan } from '../drain/drain-server.js'
import { OpenAnswers } from '../drain/open-answers.js'
import { Readiness } from '../drain/readiness.js'
import type { Edge } from '../edge/edge.js'
import { openBackend } from '../ends/backend-end.js'
import { consoleSettings } from '../ends/console-settings.js'
import { deskDoors } from '../ends/desk-doors.js'
import { openDesk } from '../ends/desk-end.js'
import { openEvents } from '../ends/events-end.js'
import { inProcess } from '../ends/in-process.js'
import { openMail } from '../ends/mail-end.js'
import { openOpens } from '../ends/opens-end.js'
import { type OperatorsEnd, openOperators } from '../ends/operators-end.js'
import { orgPeople } from '../ends/org-people.js'
import { builtPage, loadBuiltPage, type PageCode, sourcePage } from '../ends/page-end.js'
import { pageSettings } from '../ends/page-settings.js'
import { openPlatform, type PlatformEnd, platformOrigins } from '../ends/platform-end.js'
import { admitBy, chatsBy, refuseBy, takeBy } from '../ends/public-calls.js'
import { addressSeenBy, openRelay } from '../ends/relay-end.js'
import { type OwnText, sendsTexts } from '../ends/text-messages.js'
import { UnfinishedWork } from '../ends/unfinished-work.js'
import { httpApp } from '../http/app.js'
import { ClientAddresses } from '../http/client-addresses.js'
import { consoleAssets, consolePage } from '../http/console.js'
import { openDraftPage } from '../http/draft-page.js'
import { embedAssets } from '../http/embed.js'
import type { IsForeign } from '../http/foreign-pages.js'
import type { Listening, RequestHandler } from '../http/listening.js'
import { LookupTurns, lookupsInDatabase } from '../http/lookup-turns.js'
import { opensRoute } from '../http/opens-route.js'
import { pagePolicy } from '../http/page-policy.js'
import { nobodysPageRoute, pageRoute } from '../http/page-route.js'
import { pocketPhoneAssets } from '../http/pocket-phone.js'
import { previewRoute } from '../http/preview-route.js'
import { refusedRealtime } from '../http/refused-realtime.js'
import { permissionsHeader, policyHeader } from '../http/security-headers.js'
import { relayedRoutes, socketRoutes } from '../http/socket-routes.js'
import { throughVite } from '../http/through-vite.js'
import { acceptUpgrades } from '../http/upgrade.js'
import { openInstallation } from '../installation/installation-end.js'
import type { KeyRing } from '../keys/keys.js'
import { newInstanceId } from '../log/instance-id.js'
import type { OutageLines } from '../log/outage-lines.js'
import { Metrics } from '../metrics/metrics.js'
import { openMetrics } from '../metrics/metrics-end.js'
import { mirrorRoute } from '../mirror/mirror-route.js'
import { AccessLog } from '../observing/access-log.js'
import { openMetricsPort } from '../observing/metrics-port.js'
import { metricsRoute } from '../observing/metrics-route.js'
import { tracedRequests } from '../observing/traced-requests.js'
import { countAnswer, watched } from '../observing/watched-requests.js'
import { Ready } from '../ready/ready.js'
import { writeServerFile } from '../running-server/server-file.js'
import { newProofKey, proofOf } from '../running-server/server-proof.js'
import type { Settings } from '../settings/settings.js'
import { banner } from './banner.js'
import { setupLink } from './setup-link.js'
import { startWarnings } from './start-warnings.js'

export interface HeylineOptions {
  settings: Settings
  logger: Logger
  /** Is told of the database, so that it notices the end of an outage. */
  outages?: Pick<OutageLines, 'follow'>
  /** Serve the page from its sources. */
  dev?: boolean
  /** Longest that a page waits for its visitor's lookup, in ms. */
  lookupWaitMs?: number
  /** Whether the banner is for a person's terminal, and not for a log. */
  onTerminal?: boolean
  /** The database is open, and what works with it opens now: from here on the server has to be closed. */
  onParts?: () => void
}

/** What stands before all other parts: the port with its edge, the keys, and the database as this version needs it. */
export interface Foundation {
  keys: KeyRing
  listening: Listening
  publicUrl: string
  isForeign: IsForeign
  edge: Edge
  log: BoundedLog
  db: Db
  /** Not there while the page is served from its sources. */
  pageCode: PageCode | undefined
  /** What ends each part, in the order of opening: a part that is opened adds its own. */
  closers: Closer[]
}

export type Closer = () => Promise<unknown> | unknown

export interface OpenParts {
  url: string
  /** What to say on standard output, once. */
  banner: string
  /** Takes the server out of service: no new calls, and the running ones may end. Everything else works on until `close`. Never rejects. */
  drain(plan: ServerDrainPlan): Promise<void>
}

/** Loads what the parts load only when they are opened, and is known before the database is there. */
export const loadPageCode = ({ dev, logger }: HeylineOptions): Promise<PageCode> | undefined =>
  dev ? undefined : loadBuiltPage(logger)

/** Opens all other parts, and begins to answer. */
export async function openParts(
  { settings, logger, dev = false, lookupWaitMs, onTerminal }: HeylineOptions,
  { keys, listening, publicUrl, isForeign, edge, log, db, pageCode, closers }: Foundation,
): Promise<OpenParts> {
  const { dataDirectory, host, tracesEndpoint, trustProxy } = settings
  const metrics = new Metrics()
  const upgrades = acceptUpgrades(listening.server, logger, edge)
  closers.push(() => upgrades.close())

  // The desk is asked by the backend's functions and the platform's hook, and asks both of them. It is looked for with each request;
  // until it is open, its doors say that the server is starting.
  let desk: CallDesk | undefined
  const findDesk = () => desk
  const { hook, functions } = deskDoors(findDesk, settings)
  const clients = new ClientAddresses({ trustProxy, logger, isForeign })
  const addressOf = (request: Request) => clients.of(request)
  const mail = openMail(settings, publicUrl)
  const backend = openBackend({
    settings,
    db,
    keys,
    publicUrl,
    functions,
    addressOf,
    isForeign: (request) => clients.isForeign(request),
    keepAddress: (request, address) => clients.keepAs(request, address),
    sendText: sendsTexts(settings, publicUrl) ? (text) => textBy(platform, text) : undefined,
    sendMail: mail?.send,
    logger,
  })
  closers.push(() => backend.close())
  const relay = await openRelay({ settings, db, seenAt: () => addressSeenBy(db), keys, logger })
  const relayed = relay && acceptUpgrades(relay.http, logger)
  closers.push(async () => {
    await relayed?.close()
    await relay?.close()
  })
  let operatorsEnd: OperatorsEnd | undefined
  const people = orgPeople({
    ...{ settings, publicUrl, secretKey: keys.secret, addressOf },
    ...{ find: () => operatorsEnd, hasMail: mail !== undefined },
  })
  const platform = await openPlatform({
    settings,
    people,
    relay,
    db,
    keys,
    publicUrl,
    gate: { admit: admitBy(findDesk), refusedLately: refuseBy(findDesk), chats: chatsBy(findDesk) },
    admitIncoming: takeBy(findDesk),
    campaigns: () => findDesk()?.campaigns,
    addressOf,
    fetch: inProcess(`${publicUrl}/-/hooks/platform`, hook),
    metrics,
    logger,
  })
  closers.push(() => platform.close())

  const pageOptions = { backend, settings: pageSettings(settings, backend, platform), publicUrl, logger }
  const page = pageCode ? builtPage(pageCode, pageOptions) : await sourcePage(pageOptions)
  if ('vite' in page) closers.push(() => page.vite.close())

  // While Vite serves the sources, the page has no files of its own.
  const assetFolders = [
    'assetsDirectory' in page ? [page.assetsDirectory] : [],
    pocketPhoneAssets,
    consoleAssets,
    embedAssets,
  ].flat()
  const builds = dev ? undefined : await openBuilds({ db, folders: assetFolders, logger })
  if (builds) closers.push(() => builds.close())

  const inDatabase = settings.backend ? undefined : lookupsInDatabase(db)
  const opened = await openDesk({
    settings,
    db,
    keys,
    platform,
    findVisitor: (slug, signal) => page.findWithTexts(slug, signal),
    // As pictures: pages have the rest.
    lookupsAtOnce: inDatabase && Math.ceil(inDatabase / 3),
    addressOf,
    metrics,
    logger,
  })
  if (opened) {
    closers.push(() => opened.close())
    // First: a call that waits in the queue may ask for it at once.
    desk = opened
    await opened.start()
  }
  const careful = await startWarnings({ settings, db, platform, desk, logger })
  for (const line of careful) logger.warn(line)

  const operators = openOperators({ settings, db, keys, publicUrl, backend, mail })
  operatorsEnd = operators
  closers.push(keepUndoBounded({ db, logger }))
  closers.push(keepHiding({ db, logger }))
  closers.push(keepTidy({ db, logger }), keepLogShort(db, logger))
  const events = await openEvents({ settings, db, keys, publicUrl, mail, logger })
  closers.push(() => events.close())
  const eventDays = { all: settings.timelineDays, refused: settings.calls.retention.refused }
  closers.push(keepTimelineBounded({ db, days: eventDays, logger }))
  await removeUnsent(dataDirectory)
  const { backups } = settings
  if (backups) {
    // A name that no other process has, whatever INSTANCE_ID says.
    const holder = newInstanceId()
    const scheduled = new ScheduledBackups({ db, settings: { ...settings, backups }, holder, logger })
    closers.push(() => scheduled.close())
    scheduled.start()
  }
  const setUp = operators && (await setupLink(operators.operators))

  const { opens, isOperator, close: closeOpens } = openOpens({ db, publicUrl, operators, logger })
  closers.push(closeOpens)

  const { builtIn } = platform
  const measured = openMetrics({
    metrics,
    db,
    house: builtIn && (() => builtIn.platform.house()),
    budgets: settings.calls,
    makesBackups: settings.backups !== undefined,
  })
  if (settings.metricsPort !== undefined) {
    const own = await openMetricsPort({ port: settings.metricsPort, host, publicUrl, metrics: measured })
    closers.push(() => own.close())
    logger.info({ port: own.port }, 'metrics have a port of their own')
  }

  const origins = platformOrigins(publicUrl, settings.allowedOrigins)
  const proofKey = newProofKey()
  const policy = dev ? undefined : pagePolicy(settings, publicUrl, page)
  const permissions = permissionsHeader(settings.platform?.url)
  const serving = { policy, permissions, lookupWaitMs, logger }
  const work = new UnfinishedWork()
  const draft = await openDraftPage(page)
  const readiness = new Readiness()
  const ready = new Ready({ db, folder: SQL_FOLDER, readiness })
  closers.push(() => ready.close())
  const answers = new OpenAnswers()
  const turns = settings.visitorMissLimit && new LookupTurns({ limit: settings.visitorMissLimit, inDatabase })
  const app = httpApp({
    db,
    backend,
    platform,
    desk,
    gates: settings.calls,
    endpoints: events.endpoints,
    liveStatus: settings.calls.liveStatus,
    clients,
    work,
    turns,
    page: pageRoute({ page, ...serving }),
    nobodysPage: nobodysPageRoute({ page, ...serving }),
    preview: page.previews && previewRoute({ page, previews: page.previews, logger }),
    opens: settings.opens
      ? opensRoute({
          take: (opening) => opens.take(opening),
          find: page.find,
          turns,
          clients,
          work,
          isOperator,
        })
      : undefined,
    assetFolders,
    olderFiles: builds?.older,
    phonePolicy: policyHeader({ publicUrl, manifest: true }),
    callerName: settings.calls.company,
    phoneKey: settings.keys.phone,
    console: consolePage(
      consoleSettings(settings, platform),
      { publicUrl, platform: settings.platform?.url },
      draft.styleHashes,
    ),
    renderPage: draft.render,
    secretKey: keys.secret,
    operators,
    installation: openInstallation({ settings, publicUrl, db, backend, platform, desk, keys }),
    metrics: metricsRoute(measured, keys.secret),
    mirror: mirrorRoute({ secretKey: keys.secret, publicUrl, trustProxy }),
    prove: (nonce) => proofOf(proofKey, nonce),
    readiness,
    ready,
    publicUrl,
    allowedOrigins: origins,
    log,
  })
  const listener = getRequestListener(app.fetch)
  const answer = async (...request: Parameters<RequestHandler>) => {
    await listener(...request)
    await work.of(request[0])
  }
  const traced = tracesEndpoint === undefined ? answer : tracedRequests(answer, trustProxy)
  const guarded = answers.of(edge.guarded('vite' in page ? throughVite(page.vite, traced) : traced))
  const access = settings.accessLog ? new AccessLog({ logger, trustProxy }) : undefined
  listening.serve(
    watched(access?.named(guarded) ?? guarded, (answered) => {
      countAnswer(metrics, answered)
      access?.write(answered)
    }),
  )
  if (builtIn) relayed?.serve(relayedRoutes(builtIn))
  upgrades.serve([
    ...(builtIn
      ? socketRoutes({ builtIn, origins, phoneKey: settings.keys.phone, publicUrl, trustProxy })
      : []),
    ...(settings.backend ? [] : [refusedRealtime]),
  ])
  const url = localUrl(host, listening.port)
  const file = { url, pid: process.pid, database: databaseName(settings), proofKey }
  closers.push(await writeServerFile(dataDirectory, file))
  closers.push(() => listening.stopTaking())
  logger.info({ url: publicUrl, database: db.kind }, 'ready')
  return {
    url: publicUrl,
    banner: await banner({ settings, url: publicUrl, backend, platform, careful, setUp, onTerminal }),
    drain: (plan) =>
      drainServer({ readiness, answers, desk, events, platform: builtIn?.platform, logger }, plan),
  }
}

/** No text is sent before the platform is open, too. */
async function textBy({ sendText }: PlatformEnd, text: OwnText) {
  if (!sendText) throw new Error('No text can be sent: nobody would get it')
  await sendText(text)
}

/** How a command on this machine reaches the server, past any proxy. */
function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
