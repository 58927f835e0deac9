import type { Db } from '@heyline/database'
import type { PlatformClient } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { createHook } from './following/hook.js'
import { Reconciler } from './following/reconciler.js'
import { Worker } from './placing/worker.js'
import { defaultTimings, type Timings } from './timings.js'
import type { FindVisitor } from './visitor.js'
import { VisitorLookup } from './visitor-lookup.js'
import { createWebhook } from './webhook/webhook.js'

export interface CallDeskOptions {
  /** Migrated: schema `call_desk` must be there. */
  db: Db
  /** With a private token. */
  platform: PlatformClient
  /** The assistant that speaks in every call. */
  assistantId: string
  /** The caller id. Not given: the platform chooses, or refuses. */
  phoneNumberId?: string
  findVisitor: FindVisitor
  /** What the platform sends as `x-vapi-secret`; not empty. */
  hookSecret: string
  logger: Logger
  /** Changes to the waiting times. */
  timings?: Partial<Timings>
}

/** Takes requests for phone calls, has each placed at most once, and follows it to its end. */
export interface CallDesk {
  /** Answers the page's POST `{ phone, slug }`. */
  webhook(request: Request): Promise<Response>
  /** Answers the platform's server messages. */
  hook(request: Request): Promise<Response>
  /** Begins to place and follow calls. */
  start(): Promise<void>
  /** Stops; placements in progress finish and are stored first, lookups are called off. Queued requests stay for the next start. */
  close(): Promise<void>
}

/** The webhook and the queue, without a gate: every request with a valid number and a known visitor is placed. */
export function createCallDesk({
  hookSecret,
  findVisitor,
  timings: changes,
  ...options
}: CallDeskOptions): CallDesk {
  if (hookSecret === '') throw new TypeError('hookSecret must not be empty')
  const timings = { ...defaultTimings, ...changes }
  const visitors = new VisitorLookup(findVisitor, timings.lookupMs)
  const worker = new Worker({ ...options, visitors, timings })
  const reconciler = new Reconciler({ ...options, timings })
  return {
    webhook: createWebhook({ ...options, visitors }),
    hook: createHook({ ...options, secret: hookSecret, timings }),
    async start() {
      await worker.start()
      reconciler.start()
    },
    async close() {
      const closed = Promise.all([worker.close(), reconciler.close()])
      visitors.callOff()
      await closed
    },
  }
}
