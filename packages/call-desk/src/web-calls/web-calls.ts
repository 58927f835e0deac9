import type { Db } from '@heyline/database'
import type { Loop } from '@heyline/kit/loop'
import type { PlatformClient } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { errorResponse } from '../call/call-error.js'
import type { VisitorLookup } from '../call/visitor-lookup.js'
import type { HumanCheck } from '../human-check/human-check.js'
import type { DeskMeasures } from '../run/desk-measures.js'
import type { Timings } from '../run/timings.js'
import { createMint } from './mint.js'
import { createPageChats, type PageChats } from './page-chats.js'
import { createTestCalls, type TestCall } from './test-call.js'
import { createWebCallNote } from './web-call-note.js'
import type { WebGateSettings } from './web-gate-settings.js'
import { type WebCallReservation, WebReservations } from './web-reservations.js'
import { createWebSweep } from './web-sweep.js'

/** Calls in a browser: the gate before them, and the function that makes one with the private key. */
export interface WebCalls {
  /**
   * The gate: reserves a row (kind `web`) and its money. `slug` is what the page says, undefined where it says nothing; it is looked up.
   * Never rejects for a refusal.
   */
  reserve(request: Request, slug: string | undefined): Promise<WebCallReservation>
  /** The refusal of an address that is refused again and again, without a look at the database; undefined for any other. */
  refusedLately(request: Request): Extract<WebCallReservation, { result: 'refused' }> | undefined
  /**
   * Answers the page's POST `{ slug }`, with `x-human-check` where that is on: 201 with the platform's call as the public key would have got
   * it, else `{ code, message }`.
   */
  mint(request: Request): Promise<Response>
  /** Answers a page's POST `{ slug, callId }`: for which visitor it started a call by itself. */
  note(request: Request): Promise<Response>
  /** Makes a call of the stored assistant for an operator, who is counted by this name. */
  test(operator: string): Promise<TestCall>
  /** What becomes of the chats that were let pass. */
  chats: PageChats
}

export interface WebCallsOptions {
  db: Db
  platform: PlatformClient
  assistantId: string
  settings: WebGateSettings
  visitors: VisitorLookup
  humanCheck?: HumanCheck
  addressOf?: (request: Request) => string | undefined
  /** See `CallDeskOptions`. */
  places?: () => Promise<number>
  timings: Timings
  measures?: DeskMeasures | undefined
  logger: Logger
}

/** When somebody may try again whom a process refused that is about to stop, in seconds. */
const RETRY_AFTER_STOP = 15

/** `sweep` is run by the desk, while it is open. After `shut` no call begins here. */
export function createWebCalls(options: WebCallsOptions): WebCalls & { sweep: Loop; shut(): void } {
  let isShut = false
  const reservations = new WebReservations({ ...options, newsMs: options.timings.newsMs })
  const mint = createMint({ ...options, reservations })
  const test = createTestCalls({ ...options, newsMs: options.timings.newsMs })
  return {
    reserve: (request, slug) => reservations.reserve(request, slug),
    refusedLately: (request) => reservations.refusedLately(request),
    mint: async (request) => (isShut ? stopping() : mint(request)),
    note: createWebCallNote(options),
    test: async (operator) =>
      isShut ? { result: 'failed', retryAfterSeconds: RETRY_AFTER_STOP } : test(operator),
    chats: createPageChats(options),
    sweep: createWebSweep(options),
    shut() {
      isShut = true
    },
  }
}

/** Nothing of the request was used, so that the same one may be sent again. */
function stopping(): Response {
  const response = errorResponse(
    'unavailable',
    'This server is about to stop, and takes no new calls. Try again.',
  )
  response.headers.set('retry-after', String(RETRY_AFTER_STOP))
  return response
}
