import { isOutage } from '@heyline/database'
import { Hono } from 'hono'
import { getPathNoStrict } from 'hono/utils/url'
import type { Logger } from 'pino'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { ApiError } from '../resources/api-error.js'
import type { TokenStore } from '../tokens/token-store.js'
import { type AnalyticsRoutes, serveAnalytics } from './analytics-routes.js'
import { pathInApi } from './api-path.js'
import { serveAssistants } from './assistant-routes.js'
import { type CallRoutes, serveCalls } from './call-routes.js'
import { type CampaignRoutes, serveCampaigns } from './campaign-routes.js'
import { type ChatRoutes, serveChats } from './chat-routes.js'
import { type ConsentRoutes, serveConsents } from './consent-routes.js'
import { crossOrigin } from './cross-origin.js'
import { type ExportRoutes, serveExport } from './export-routes.js'
import { type FileRoutes, serveFiles } from './file-routes.js'
import { serveKnowledgeBases } from './knowledge-base-routes.js'
import { type LogRoutes, serveLogs } from './log-routes.js'
import { noStore } from './no-store.js'
import { type NumberRoutes, serveNumbers } from './number-routes.js'
import { type OrgRoutes, serveOrgs } from './org-routes.js'
import { serveRefusals } from './refused-routes.js'
import { logRequests, type RequestLog } from './request-log.js'
import { type ServedFamily, serveResources } from './resource-routes.js'
import { hideServerSecrets } from './server-secrets.js'
import { serveThirdParties, type ThirdPartyRoutes } from './third-party-routes.js'
import { serveTickets, type TicketRoutes } from './ticket-routes.js'
import { serveTokens } from './token-routes.js'
import { isOpenPath, isPlatformPath } from './unserved-paths.js'
import { serveVoiceLibrary, type VoiceLibraryRoutes } from './voice-library-routes.js'
import { serveWorkflows, type WorkflowRoutes } from './workflow-routes.js'

export interface ApiOptions
  extends CallRoutes,
    ChatRoutes,
    CampaignRoutes,
    NumberRoutes,
    FileRoutes,
    ThirdPartyRoutes,
    ConsentRoutes,
    ExportRoutes,
    AnalyticsRoutes,
    LogRoutes,
    TicketRoutes,
    RequestLog,
    VoiceLibraryRoutes,
    OrgRoutes,
    WorkflowRoutes {
  /** Origins of pages that may use the API. */
  origins: readonly string[]
  assistants: AssistantStore
  tokens: TokenStore
  /** Resources that are stored as they come. */
  families: readonly ServedFamily[]
  /** Requests wait for this. If it rejects, they answer 500, or 503 where the database was away. */
  ready: Promise<void>
  logger: Logger
}

/** When to ask again while the database is away, in seconds. */
const RETRY_SECONDS = 2

/**
 * The part of the platform's REST API that is served. The platform's other paths answer 422. Requests come as the server got them, with the whole
 * path: a request of their own, without where the API begins, would cost as much as all else that a small answer takes.
 */
export function createApi(options: ApiOptions): Hono {
  const app = new Hono({ getPath: (request) => pathInApi(getPathNoStrict(request)) })

  app.use(noStore)
  app.use(crossOrigin(options.origins))
  app.use(async (_context, next) => {
    await options.ready
    await next()
  })

  logRequests(app, options)
  app.use(async (context, next) => {
    try {
      await next()
    } finally {
      options.doorkeeper.endTurn(context.req.raw)
    }
  })
  hideServerSecrets(app, options.doorkeeper)

  serveCalls(app, options)
  serveExport(app, options)
  serveAnalytics(app, options)
  serveLogs(app, options)
  serveVoiceLibrary(app, options)
  serveChats(app, options)
  serveAssistants(app, options)
  serveCampaigns(app, options)
  serveTokens(app, options)
  serveNumbers(app, options)
  serveOrgs(app, options)
  serveWorkflows(app, options)
  serveRefusals(app, options.doorkeeper)
  serveConsents(app, options)
  serveResources(app, options.families, options.doorkeeper)
  serveTickets(app, options)
  serveFiles(app, options)
  serveKnowledgeBases(app, options)
  serveThirdParties(app, options)

  app.notFound(async (context) => {
    const { method, path } = context.req
    if (!isPlatformPath(path)) throw new ApiError(404, `Cannot ${method} ${path}`)
    if (!isOpenPath(path)) await options.doorkeeper.admit(context.req.raw, 'private')
    throw ApiError.notServed(`${method} ${path} is not served by the built-in voice platform.`)
  })
  app.onError((error, context) => {
    if (error instanceof ApiError) {
      const { retryAfterSeconds } = error
      if (retryAfterSeconds !== undefined) context.header('retry-after', String(Math.ceil(retryAfterSeconds)))
      return context.json(error.body, error.status)
    }
    options.logger.error({ err: error, method: context.req.method }, 'platform request failed')
    if (isOutage(error)) context.header('retry-after', String(RETRY_SECONDS))
    const failure = isOutage(error)
      ? new ApiError(503, 'The database cannot be used now. Try again in a moment.')
      : new ApiError(500, 'Internal server error')
    return context.json(failure.body, failure.status)
  })
  return app
}
