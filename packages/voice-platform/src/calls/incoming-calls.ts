import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { BoundedLog } from '@heyline/kit/bounded-log'
import type { Clock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'
import { SealError } from '@heyline/kit/seal'
import type { AssistantOverrides, CreateAssistant, Server } from '@heyline/platform-client'
import type { Logger } from 'pino'
import type { AssistantStore } from '../assistants/assistant-store.js'
import type { AskedServer } from '../assistants/server-schema.js'
import { DEFAULTS } from '../assistants/session-assistant.js'
import type { StoredServers } from '../assistants/stored-servers.js'
import type { Carrier, IncomingAnswer, IncomingCall, IncomingWait } from '../carriers/carrier.js'
import type { PhoneNumberStore } from '../numbers/phone-number-store.js'
import { ApiError } from '../resources/api-error.js'
import { callYourself, NOT_TRANSFERRED } from '../session/transfer.js'
import type { Retries } from '../work/retries.js'
import type { AnsweringServer, RingingCall } from './answering-server.js'
import { type CallAssistant, findCallAssistant, type Scripts } from './call-assistant.js'
import type { CallScript } from './call-script.js'
import type { CallStore, NewCall } from './call-store.js'
import type { House } from './house.js'
import { removeCall } from './remove-call.js'

/**
 * Whether an incoming call may be taken. Whoever admits it hears of one that was not taken after all: `failed`. `unnamed`: the number's
 * server has not named who answers. Else it could not be stored. And of one that ends before anybody has shown that it is real: at once, since
 * what the call's own server is told may reach nobody else, and such calls must not hold the places of others.
 */
export type IncomingAdmission =
  | {
      admitted: true
      maxSeconds: number
      failed(why?: 'unnamed'): Promise<void>
      unconfirmed?(): Promise<void>
    }
  | { admitted: false }

/** `callId` is the platform's id that the call will have; `from` is the caller's number, E.164; `proven`: it surely is the caller's. */
export type AdmitIncoming = (call: {
  callId: string
  from: string
  proven: boolean
}) => Promise<IncomingAdmission>

/** Who reaches the assistant of an earlier call: whose number the network attests, anybody who names one that was called, or nobody. */
export type CallsBack = 'attested' | 'any' | 'off'

export interface IncomingCallsOptions {
  db: Db
  store: CallStore
  retries: Retries
  assistants: AssistantStore
  scripts: Scripts
  house: House
  carrier: Carrier
  admit: AdmitIncoming | undefined
  numbers: PhoneNumberStore
  servers: StoredServers
  /** Asked where nobody is set for a number that has a server. */
  answering: AnsweringServer
  callsBack: CallsBack
  clock: Clock
  logger: Logger
}

/**
 * Why a call is not taken: nobody answers calls to this number, the caller's number is hidden or is one of ours (a line that we call forwards
 * to us: two assistants would talk), or calls may be taken later.
 */
const REFUSALS = { nobody: 'rejected', hidden: 'rejected', ours: 'rejected', later: 'busy' } as const

const FAILED = 'assistant-request-failed'
const INVALID = 'assistant-request-returned-invalid-assistant'
/** One that says nothing of its own accord. */
const SILENT: CreateAssistant = { firstMessageMode: 'assistant-waits-for-user' }

/** Calls that nobody has confirmed yet: more than the carrier has at once. */
const MOST_UNCONFIRMED = 1_000

/** How far back a call may lie that somebody calls back to. */
const CALLED_LATELY = '30 days'

/** What somebody who calls back hears first. */
const CALLED_BACK = 'Thank you for calling back. You were called from this number.'

/**
 * Calls to our numbers. Whoever was called from the number reaches the assistant of that call, where their number is proven. Everybody else
 * reaches the number's own (`assistantId`), or whom the number's server names.
 */
export class IncomingCalls {
  readonly #options: IncomingCallsOptions
  /** The numbers whose servers cannot be opened. */
  readonly #unopened = new Set<string>()
  /** What ends the admission of calls that nobody has confirmed yet. */
  readonly #unconfirmed = new RecentMap<string, () => Promise<void>>(MOST_UNCONFIRMED)
  /** What anybody who calls can have written before the gate is asked. */
  readonly #log: BoundedLog

  constructor(options: IncomingCallsOptions) {
    this.#options = options
    this.#log = new BoundedLog(options)
  }

  /** Takes the call and stores it, or refuses it. Rejects where the database is away. */
  async take({ id, from, to, attested }: IncomingCall, wait?: IncomingWait): Promise<IncomingAnswer> {
    const { db, house, admit, callsBack, carrier, servers, logger } = this.#options
    const { rows } = await db.query<NumberRow>(
      `select id, settings ->> 'assistantId' as assistant_id, settings ->> 'squadId' as squad_id,
         settings ->> 'workflowId' as workflow_id, settings -> 'server' as server,
         exists (select from voice_platform.phone_numbers where number = $2) as is_ours
       from voice_platform.phone_numbers where number = $1`,
      [to, from ?? null],
    )
    const [number] = rows
    if (!number || !admit) return this.#refuse('nobody')
    if (from === undefined) return this.#refuse('hidden')
    if (number.is_ours) return this.#refuse('ours')
    if (isFull(house)) return this.#refuse('later')
    const proven = attested || callsBack === 'any'
    const known = await this.#assistantFor(number, proven && callsBack !== 'off' ? from : undefined)
    const server = this.#serverOf(number)
    const isAsked = !known && server !== undefined && isNobodys(number)
    if (!known && !isAsked) return this.#refuse('nobody')
    const callId = randomUUID()
    const admission = await admit({ callId, from, proven })
    if (!admission.admitted) return this.#refuse('later')
    try {
      // The gate has let it pass: callers cannot have the server asked as often as they like.
      const ringing = { callId, carrierCallId: id, from, attested }
      const chosen = known ?? (server && (await this.#answererOf(ringing, number, { server, wait })))
      if (!chosen || 'refusal' in chosen) {
        await admission.failed('unnamed')
        return { ...this.#refuse(chosen?.refusal ?? 'nobody'), isStored: true }
      }
      await this.#store(
        {
          id: callId,
          type: 'inboundPhoneCall',
          ...bounded(
            server ? withServer(chosen, servers.inCall(number.server)) : chosen,
            admission.maxSeconds,
          ),
          phoneNumberId: number.id,
          customer: { number: from },
          callerProven: attested,
          carrier: carrier.name,
        },
        id,
      )
      if (admission.unconfirmed) this.#unconfirmed.set(callId, admission.unconfirmed)
      logger.info({ callId, carrier: carrier.name, proven }, 'incoming call taken')
      return { callId }
    } catch (error) {
      await admission.failed().catch((failure: unknown) => {
        logger.error({ err: failure }, 'the end of an admission was not stored')
      })
      throw error
    }
  }

  /** The call is real, or over in another way. */
  confirmed(callId: string): void {
    this.#unconfirmed.delete(callId)
  }

  /** The call is over, and nobody has shown that it was real. */
  async endUnconfirmed(callId: string): Promise<void> {
    const ended = this.#unconfirmed.get(callId)
    this.#unconfirmed.delete(callId)
    await ended?.()
  }

  /** Tells how many refusals were left out of the log. Idempotent. */
  close(): void {
    this.#log.close()
  }

  async #store(call: NewCall, carrierCallId: string): Promise<void> {
    const { store } = this.#options
    try {
      await store.insert(call)
      await store.setCarrierCallId(call.id, carrierCallId)
    } catch (error) {
      // It may be stored, and the carrier refuses it.
      void removeCall(call.id, this.#options)
      throw error
    }
  }

  /** Whom the number's server names. */
  async #answererOf(
    ringing: Omit<RingingCall, 'number'>,
    { id }: NumberRow,
    { server, wait }: { server: AskedServer; wait: IncomingWait | undefined },
  ): Promise<CallAssistant | { refusal: keyof typeof REFUSALS }> {
    const { numbers, answering, assistants, scripts, logger } = this.#options
    const number = await numbers.get(id)
    if (!number) return { refusal: 'nobody' }
    const answer = await answering.ask({ ...ringing, number }, server, wait)
    if (answer.type === 'busy') return { refusal: 'later' }
    if (answer.type === 'error') {
      const farewell = { text: answer.text, endedReason: 'assistant-request-returned-error' }
      return { assistant: SILENT, script: { farewell } }
    }
    if (answer.type === 'number') {
      const { destination: forward } = answer
      // Where it is not handed on, the caller hears so, and nothing else follows.
      const endCallPhrases = [NOT_TRANSFERRED, callYourself(forward.number)]
      return { assistant: { ...SILENT, endCallPhrases }, script: { forward } }
    }
    let reason: string = answer.type === 'nobody' ? answer.reason : INVALID
    if (answer.type === 'speaker')
      try {
        return await findCallAssistant(answer.request, assistants, { scripts })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        reason = `${INVALID}: ${error.message}`
      }
    logger.warn({ callId: ringing.callId, reason }, "a number's server names nobody who answers")
    return { refusal: answer.type === 'nobody' && answer.reason === FAILED ? 'later' : 'nobody' }
  }

  /** Undefined, too, where its secrets were sealed with another key. The log says so once. */
  #serverOf({ id, server }: NumberRow): AskedServer | undefined {
    const { servers, logger } = this.#options
    try {
      return servers.opened(server)
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      if (!this.#unopened.has(id))
        logger.error(
          { err: error, phoneNumberId: id },
          "a number's server is not asked: its secrets were sealed with another key. Store them again.",
        )
      this.#unopened.add(id)
      return undefined
    }
  }

  #refuse(why: keyof typeof REFUSALS): { refusal: 'busy' | 'rejected' } {
    this.#log.info(`incoming-${why}`, { why }, 'incoming call refused')
    return { refusal: REFUSALS[why] }
  }

  /** The assistant of the latest call to `back`, or the number's own. */
  async #assistantFor(number: NumberRow, back: string | undefined): Promise<CallAssistant | undefined> {
    const earlier = back === undefined ? undefined : await this.#latestCall(number.id, back)
    if (earlier) return calledBack(earlier)
    const { assistant_id: assistantId, squad_id: squadId, workflow_id: workflowId } = number
    const { assistants, scripts } = this.#options
    if (squadId !== null || workflowId !== null)
      return await findCallAssistant(
        squadId !== null ? { squadId } : { workflowId: workflowId ?? '' },
        assistants,
        { scripts },
      ).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        this.#log.warn('incoming-nobody-answers', { err: error }, 'whoever a number names cannot answer')
        return undefined
      })
    if (assistantId === null) return undefined
    const assistant = await assistants.find(assistantId)
    return assistant && { assistantId, assistant }
  }

  /** The latest call from this number of ours to that one. One whose texts are no longer kept counts as none. */
  async #latestCall(phoneNumberId: string, number: string): Promise<StoredAssistant | undefined> {
    const { rows } = await this.#options.db.query<StoredAssistant>(
      `select assistant_id, overrides, assistant, squad_id, workflow_id, script from voice_platform.calls
       where type = 'outboundPhoneCall' and customer ->> 'number' = $1 and phone_number_id = $2
         and created_at > now() - interval '${CALLED_LATELY}' and assistant ? 'model'
       order by created_at desc limit 1`,
      [number, phoneNumberId],
    )
    return rows[0]
  }
}

interface NumberRow {
  id: string
  assistant_id: string | null
  squad_id: string | null
  workflow_id: string | null
  server: unknown
  /** Whether the caller's number is one of ours. */
  is_ours: boolean
}

const isNobodys = ({ assistant_id, squad_id, workflow_id }: NumberRow): boolean =>
  assistant_id === null && squad_id === null && workflow_id === null

/** A call whose assistant has no server of its own tells the number's. */
function withServer(chosen: CallAssistant, server: Server | undefined): CallAssistant {
  if (!server || chosen.assistant.server?.url) return chosen
  return { ...chosen, assistant: { ...chosen.assistant, server } }
}

interface StoredAssistant {
  assistant_id: string | null
  overrides: AssistantOverrides | null
  squad_id: string | null
  workflow_id: string | null
  script: CallScript | null
  /** With the overrides. */
  assistant: CreateAssistant
}

function calledBack({
  assistant_id,
  overrides,
  squad_id,
  workflow_id,
  script,
  assistant,
}: StoredAssistant): CallAssistant {
  const firstMessage = [CALLED_BACK, assistant.firstMessage?.trim()].filter(Boolean).join(' ')
  return {
    ...(assistant_id !== null && { assistantId: assistant_id }),
    ...(overrides && { overrides }),
    ...(squad_id !== null && { squadId: squad_id }),
    ...(workflow_id !== null && { workflowId: workflow_id }),
    ...(script && { script }),
    assistant: { ...assistant, firstMessage },
  }
}

function bounded(chosen: CallAssistant, maxSeconds: number): CallAssistant {
  const { maxDurationSeconds } = { ...DEFAULTS, ...chosen.assistant }
  return {
    ...chosen,
    assistant: { ...chosen.assistant, maxDurationSeconds: Math.min(maxDurationSeconds, maxSeconds) },
  }
}

function isFull(house: House): boolean {
  try {
    house.refuseIfFull('inboundPhoneCall')
    return false
  } catch (error) {
    if (error instanceof ApiError) return true
    throw error
  }
}
