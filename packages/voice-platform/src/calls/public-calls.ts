import type { Clock } from '@heyline/kit/clock'
import type { Call } from '@heyline/platform-client'
import type { Logger } from 'pino'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { callVariables } from '../assistants/call-variables.js'
import { DEFAULTS, sessionAssistant } from '../assistants/session-assistant.js'
import type { Variables } from '../assistants/template.js'
import { ApiError } from '../resources/api-error.js'
import { Budget } from '../work/budget.js'
import { type CallAssistant, findCallAssistant } from './call-assistant.js'
import type { CreateWebCallBody } from './call-request.js'
import { MOST_PUBLIC_JSON, MOST_PUBLIC_PROMPT } from './public-limits.js'
import type { WebCalls } from './web-calls.js'

/** What the public key may start. Everybody who reads the page has it. */
export interface PublicCalls {
  /** False: the public key starts nothing. True by default. */
  allowed?: boolean
  /** Longest call that the public key starts, in seconds; 600 by default. */
  maxSeconds?: number
  /** Asked before each call that the public key or a public token starts. Nothing is asked where it is left out. The body is read already. */
  admit?(request: Request): Promise<PublicCallAdmission>
  /** Asked first: what refuses a request without a look at anything, also at its body; undefined lets it go on. */
  refusedLately?(request: Request): PublicCallRefusal | undefined
  /** Whether calls are paused. Chats ask before each turn. Never where it is left out. */
  isPaused?(): Promise<boolean>
  /** Hears of the chats of strangers; nobody does where it is left out. */
  chats?: PublicChats
}

/** What becomes of the chats of strangers, by their sessions. Each is admitted as a call is. */
export interface PublicChats {
  /** The first answer is over. */
  answered(sessionId: string): Promise<void>
  /** Pays for a further turn, as for so many seconds of a call. False: there is no money for it. */
  payTurn(sessionId: string, seconds: number): Promise<boolean>
  /** There was no answer, and no model has worked: the place and the money go back. */
  takenBack(sessionId: string): Promise<void>
}

/**
 * Whether a public call may begin. Whoever is admitted hears of the call: `started` once it is made, `failed` where it was not. With
 * `turnSeconds` it is a chat: it pays for each turn as for so many seconds of a call, and for the first one now.
 */
export type PublicCallAdmission =
  | {
      admitted: true
      maxSeconds: number
      started(callId: string, turnSeconds?: number): Promise<void>
      failed(): Promise<void>
    }
  | { admitted: false; status: 403 | 429 | 503; message: string; retryAfterSeconds?: number }

export type PublicCallRefusal = Extract<PublicCallAdmission, { admitted: false }>
type Admitted = Extract<PublicCallAdmission, { admitted: true }>

const NO_CALLS = 'The public key starts no calls here: ask the server for one, through the function web-call.'
/** Longest call, in seconds, where the options name none. */
const MOST_SECONDS = 600
/** Longest silence in a call, in seconds. */
const MOST_SILENT_SECONDS = 60
/** Bytes of settings that public calls may store, on average a second and at once: thousands of honest calls, and no full disk. */
const STORED = { perSecond: 50_000, atOnce: 8_000_000 }
const RETRY_AFTER_SECONDS = 60
const SOON_SECONDS = 5

export interface PublicWebCallsOptions extends PublicCalls {
  assistants: AssistantStore
  webCalls: WebCalls
  clock: Clock
  logger: Logger
}

/**
 * Web calls that strangers start, with the public key or a public token. Whoever admits them is asked before anything is stored or
 * spoken and before a prompt is filled, which takes milliseconds, and after the checks that cost nothing.
 */
export class PublicWebCalls {
  readonly #options: PublicWebCallsOptions
  readonly #stored: Budget

  constructor(options: PublicWebCallsOptions) {
    this.#options = options
    this.#stored = new Budget(options.clock, STORED)
  }

  /** Throws an `ApiError` 403 where the public key starts nothing. */
  refuseKey(text = NO_CALLS): void {
    if (this.#options.allowed === false) throw new ApiError(403, text)
  }

  /** Rejects with an `ApiError` 403 while calls are paused: what goes on stops, too. */
  async refuseStopped(): Promise<void> {
    const { isPaused } = this.#options
    if (isPaused && (await isPaused())) throw new ApiError(403, 'Calls and chats are paused.')
  }

  /** Rejects with an `ApiError`: 429 where there is no money for a further turn of a chat, 503 where nobody can say. */
  async payTurn(chatId: string, seconds: number): Promise<void> {
    const isPaid = await this.chats.payTurn(chatId, seconds).catch((cause: unknown) => {
      throw new ApiError(503, 'This chat cannot go on now. Try again in a moment.', {
        cause,
        retryAfterSeconds: SOON_SECONDS,
      })
    })
    if (!isPaid)
      throw new ApiError(429, 'This chat has to wait: what chats and calls may cost is spent for now.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
  }

  /** Throws an `ApiError` for whoever is refused without a look, also at the body. */
  refuseLately(request: Request): void {
    const refused = this.#options.refusedLately?.(request)
    if (refused) throw refusal(refused)
  }

  get chats(): PublicChats {
    return this.#options.chats ?? UNHEARD
  }

  /** Rejects with an `ApiError`. The body was checked. */
  async create(request: Request, body: CreateWebCallBody): Promise<Call> {
    const { assistants, webCalls, clock } = this.#options
    const chosen = await findCallAssistant(body, assistants, { keepsModel: body.assistant === undefined })
    // Nothing is taken yet: who waits to be admitted, and may not be, is in nobody's way.
    await webCalls.refuseIfFull()
    const admission = await this.admit(request)
    try {
      refuseGrownPrompt(chosen, callVariables(chosen, new Date(clock.now())))
      const bounded = boundedAssistant(chosen, admission.maxSeconds)
      return await webCalls.inRoom(() => this.#createInRoom(bounded, admission))
    } catch (error) {
      await admission.failed().catch((failure: unknown) => {
        this.#options.logger.error({ err: failure }, 'the end of an admission was not stored')
      })
      throw error
    }
  }

  async #createInRoom(bounded: CallAssistant, admission: Admitted): Promise<Call> {
    if (!this.#stored.spend(Buffer.byteLength(JSON.stringify(bounded))))
      throw new ApiError(429, 'Too many calls were started. Try again in a minute.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    const call = await this.#options.webCalls.create({ ...bounded, isPublic: true })
    await this.#tellStarted(admission, call.id)
    return call
  }

  /** Asks whether this stranger is admitted. Rejects with an `ApiError` where not. */
  async admit(request: Request): Promise<Admitted> {
    const { admit, maxSeconds = MOST_SECONDS } = this.#options
    const admission = await admit?.(request)
    if (!admission) return { admitted: true, maxSeconds, started: nothing, failed: nothing }
    if (admission.admitted) return { ...admission, maxSeconds: Math.min(maxSeconds, admission.maxSeconds) }
    throw refusal(admission)
  }

  /** A call that nobody counts must not begin. */
  async #tellStarted(admission: Admitted, callId: string): Promise<void> {
    try {
      await admission.started(callId)
    } catch (error) {
      this.#options.webCalls.takeBack(callId)
      throw error
    }
  }
}

const nothing = async () => {}
const UNHEARD: PublicChats = { answered: nothing, payTurn: async () => true, takenBack: nothing }

const refusal = ({ status, message, retryAfterSeconds }: PublicCallRefusal): ApiError =>
  new ApiError(status, message, { retryAfterSeconds })

/** Throws an `ApiError` 400 where the call's values make the prompt much longer than it is: one short value may stand in it a thousand times. */
export function refuseGrownPrompt(chosen: CallAssistant, values: Variables): void {
  const filledWith = (variables: Variables) =>
    sessionAssistant(chosen.assistant, variables).systemPrompt?.length ?? 0
  const filled = filledWith(values)
  if (filled > MOST_PUBLIC_PROMPT && filled - filledWith({ ...values, values: {} }) > MOST_PUBLIC_JSON)
    throw new ApiError(
      400,
      `assistantOverrides.variableValues make the prompt longer than ${MOST_PUBLIC_PROMPT} characters: shorten them, or use them less often.`,
    )
}

/** The assistant with the times of a public call. */
function boundedAssistant(chosen: CallAssistant, maxSeconds: number): CallAssistant {
  const { maxDurationSeconds, silenceTimeoutSeconds } = { ...DEFAULTS, ...chosen.assistant }
  const assistant = {
    ...chosen.assistant,
    maxDurationSeconds: Math.min(maxDurationSeconds, maxSeconds),
    silenceTimeoutSeconds: Math.min(silenceTimeoutSeconds, MOST_SILENT_SECONDS),
  }
  return { ...chosen, assistant }
}
