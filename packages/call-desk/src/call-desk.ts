import type { Db } from '@heyline/database'
import type { PlatformClient } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { errorResponse } from './call/call-error.js'
import { UnknownReasons } from './call/outcome.js'
import { type FindVisitor, VisitorLookup } from './call/visitor-lookup.js'
import { Campaigns } from './campaigns/campaigns.js'
import { createHook } from './following/hook.js'
import { InboxWorker } from './following/inbox-worker.js'
import { Reconciler } from './following/reconciler.js'
import { UnaskedCalls } from './following/unasked-calls.js'
import type { OwnNumbers } from './gate/gate.js'
import type { GateSettings } from './gate/gate-settings.js'
import { auditRaisedLimits, type RaisedLimit, raisedLimits } from './gate/raised-limits.js'
import { createChallengeTurns } from './human-check/challenge-turns.js'
import type { HumanCheck } from './human-check/human-check.js'
import { createIncomingCalls, type IncomingCalls } from './incoming/incoming-calls.js'
import { IncomingRefusals } from './incoming/incoming-refusals.js'
import { createLiveStatus } from './live/live-status.js'
import { HangUps } from './placing/hang-up.js'
import { createStopCalling } from './placing/stop-calling.js'
import { Worker } from './placing/worker.js'
import type { CalledAgain } from './records/called-again.js'
import { RecordsError } from './records/records-error.js'
import { Retention } from './retention/retention.js'
import type { RetentionDays } from './retention/retention-days.js'
import type { DeskMeasures } from './run/desk-measures.js'
import { DEFAULT_TIMINGS, type Timings } from './run/timings.js'
import { raisedWebLimits } from './web-calls/raised-web-limits.js'
import { createWebCalls, type WebCalls } from './web-calls/web-calls.js'
import { DEFAULT_WEB_GATE, type WebGateSettings } from './web-calls/web-gate-settings.js'
import type { CallAgain } from './webhook/call-again.js'
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
  /** False where another program places the phone calls: then the desk is for browser calls alone. */
  phoneCalls?: boolean
  /** Each of them verifies the platform's messages, so that one can be exchanged for the next; at least one, none empty. */
  hookSecrets: readonly string[]
  /** What may be called, how often, and at what price. */
  gate: GateSettings
  /** Which browser calls may begin. Not given: `DEFAULT_WEB_GATE`. */
  webGate?: WebGateSettings
  /** How a raised limit is written in the audit and the log. Not given: as the gate's settings have it. */
  raisedAs?: (raised: RaisedLimit) => RaisedLimit
  /** Spoken first in every call: who calls, that it is an AI assistant, how to stop. Not empty. */
  disclosure: string
  /** The platform decides by its operator's settings whether phone calls are recorded, and announces it. Without it none is. */
  mayBeRecorded?: boolean
  /** Asked of every request, where there is one. */
  humanCheck?: HumanCheck
  /** The address of the client that sent a request; undefined where it is not known. */
  addressOf?: (request: Request) => string | undefined
  /** Never called. */
  ownNumbers?: OwnNumbers
  /**
   * How long the webhook's answer waits to learn that a call was refused at once, in milliseconds, so that the page can say so. Not given: it
   * does not wait.
   */
  tellsWithinMs?: number
  /** So many visitors are looked up at once; no limit where it is left out. For visitors in our own database, whose connections pages need, too. */
  lookupsAtOnce?: number | undefined
  /** Pages start browser calls at a hosted platform, which asks us for none of them: its messages are the first that is heard. */
  hasUnaskedCalls?: boolean
  /** How long things are kept, in days; what is not given is as in `DEFAULT_RETENTION`. */
  retention?: Partial<RetentionDays>
  /** False while this process can hold no further call: then it takes nothing from the queue, which others may. Not given: always true. */
  hasRoom?: () => boolean
  /**
   * Calls that the platform holds at once at most, on all its servers: one network has a share of these where they are fewer than the gate's.
   * Not given: not known, and so as many as the gate's.
   */
  places?: () => Promise<number>
  /** Counts what the desk decides; nobody where it is left out. */
  measures?: DeskMeasures
  logger: Logger
  /** Changes to the waiting times. */
  timings?: Partial<Timings>
}

/** Takes requests for phone calls, has each placed at most once, and follows it to its end. Lets browser calls begin, and follows them too. */
export interface CallDesk {
  /** Answers the page's POST `{ phone, slug }`. */
  webhook(request: Request): Promise<Response>
  /** Answers the platform's server messages. */
  hook(request: Request): Promise<Response>
  /** Answers GET `/-/human-check?slug=…` with what the browser has to work on; 404 where the check needs nothing of us. */
  challenge(request: Request): Promise<Response>
  /** Answers GET `/-/calls/{id}/events`: server-sent events of one request, until it is final. */
  events(request: Request, id: string): Promise<Response>
  /** An operator asks for another call to the number and visitor of an earlier one. Rejects with a `RecordsError`. */
  again(asked: CallAgain): Promise<CalledAgain>
  /** Calls in a browser, by whoever starts them. */
  readonly webCalls: WebCalls
  /** Calls to our numbers. Undefined where another desk places the phone calls. */
  readonly incoming?: IncomingCalls
  /** Lists of people to call. Undefined where another desk places the phone calls. */
  readonly campaigns?: Pick<Campaigns, 'create' | 'list' | 'get' | 'change' | 'end' | 'delete' | 'ofCall'>
  /** Begins to place and follow calls. */
  start(): Promise<void>
  /**
   * Begins no more calls in this process: places none, gives back what it has claimed, and refuses browser calls (503). Requests are still
   * taken, for other processes or the next start, and calls are still followed. Resolves when the placements in progress are stored.
   */
  drain(): Promise<void>
  /** Stops; placements in progress finish and are stored first, lookups are called off. Queued requests stay for the next start. */
  close(): Promise<void>
}

/** The desk: webhook, gate, queue, worker, and what follows the calls. Nothing is placed before `start`. */
export function createCallDesk({
  hookSecrets,
  findVisitor,
  phoneCalls = true,
  timings: changes,
  webGate = DEFAULT_WEB_GATE,
  raisedAs = (raised) => raised,
  hasUnaskedCalls = false,
  lookupsAtOnce,
  ...options
}: CallDeskOptions): CallDesk {
  if (hookSecrets.length === 0 || hookSecrets.includes(''))
    throw new TypeError('hookSecrets must not be empty')
  if (options.disclosure.trim() === '') throw new TypeError('disclosure must not be empty')
  const timings = { ...DEFAULT_TIMINGS, ...changes }
  const visitors = new VisitorLookup(findVisitor, { limitMs: timings.lookupMs, atOnce: lookupsAtOnce })
  const worker = new Worker({ ...options, visitors, timings })
  const campaigns = phoneCalls ? new Campaigns({ ...options, timings }) : undefined
  const hangUps = new HangUps({ ...options, timings })
  const reasons = new UnknownReasons(options.logger)
  const unasked = hasUnaskedCalls
    ? { assistantId: options.assistantId, maxSeconds: webGate.maxSeconds }
    : undefined
  const onSaid = createStopCalling(options)
  const inboxWorker = new InboxWorker({
    ...options,
    timings,
    reasons,
    onSaid,
    ...(unasked && { unasked }),
  })
  const unaskedCalls = unasked && new UnaskedCalls({ ...options, unasked, timings })
  const reconciler = new Reconciler({ ...options, timings, reasons, onSaid })
  const webhook = createWebhook({ ...options, visitors })
  const live = createLiveStatus(options)
  const webCalls = createWebCalls({ ...options, settings: webGate, visitors, timings })
  const refusals = new IncomingRefusals(options)
  const retention = new Retention({ ...options, webGate })
  return {
    webhook: phoneCalls ? webhook.answer : async () => errorResponse('desk_off'),
    again: phoneCalls
      ? webhook.again
      : () =>
          Promise.reject(
            new RecordsError('desk_off', 'Another call desk places the phone calls: see CALL_WEBHOOK_URL'),
          ),
    hook: createHook({ ...options, secrets: hookSecrets }),
    challenge: createChallengeTurns(options),
    events: (request, id) => live.events(request, id),
    webCalls,
    ...(phoneCalls && { incoming: createIncomingCalls({ ...options, timings, refusals }) }),
    ...(campaigns && { campaigns }),
    async start() {
      const raised = [...(phoneCalls ? raisedLimits(options.gate) : []), ...raisedWebLimits(webGate)]
      await auditRaisedLimits(options.db, raised.map(raisedAs), options.logger)
      if (phoneCalls) await worker.start()
      campaigns?.start()
      await hangUps.start()
      await inboxWorker.start()
      reconciler.start()
      unaskedCalls?.start()
      webCalls.sweep.start()
      retention.start()
    },
    async drain() {
      webCalls.shut()
      await campaigns?.close()
      await worker.close()
    },
    async close() {
      const closed = Promise.all([
        worker.close(),
        campaigns?.close(),
        hangUps.close(),
        inboxWorker.close(),
        reconciler.close(),
        unaskedCalls?.close(),
        webCalls.sweep.close(),
        retention.close(),
        live.close(),
        refusals.close(),
      ])
      visitors.callOff()
      await closed
    },
  }
}
