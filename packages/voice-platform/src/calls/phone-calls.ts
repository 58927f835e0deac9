import { randomUUID } from 'node:crypto'
import { type Db, isOutage } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { traced } from '@heyline/kit/trace'
import type { Call, CreateAssistant } from '@heyline/platform-client'
import type { Logger } from 'pino'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { callVariables } from '../assistants/call-variables.js'
import { sessionAssistant, withOverrides } from '../assistants/session-assistant.js'
import {
  type Carrier,
  type CarrierEvents,
  CarrierRefusal,
  type DialRequest,
  type IncomingAnswer,
  type IncomingCall,
  type IncomingWait,
  type LegEnd,
  type TransferEnd,
} from '../carriers/carrier.js'
import { E164 } from '../carriers/e164.js'
import { StallGuard } from '../carriers/stall-guard.js'
import type { Engines } from '../engines/engine.js'
import type { Link } from '../link/link.js'
import { ApiError } from '../resources/api-error.js'
import { Lanes } from '../work/lanes.js'
import type { Retries } from '../work/retries.js'
import { findCallAssistant, type Scripts } from './call-assistant.js'
import type { CallProgress } from './call-progress.js'
import type { CreateCallBody } from './call-request.js'
import type { CallRow } from './call-row.js'
import type { CallStore } from './call-store.js'
import { callView } from './call-view.js'
import { callerId } from './caller-id.js'
import type { Conversations } from './conversations.js'
import type { House } from './house.js'
import type { IncomingCalls } from './incoming-calls.js'
import { isOfCampaignsLines, notBegun, overBefore, refused } from './not-placed.js'
import { removeCall } from './remove-call.js'
import { UNCONFIRMED } from './unconfirmed.js'

/** How long a phone rings, in seconds. */
const RING_SECONDS = 30

/** The platform's reason for each way in which a leg ends. */
const ENDED_REASONS: Record<LegEnd, string> = {
  'hung-up': 'customer-ended-call',
  'no-answer': 'customer-did-not-answer',
  busy: 'customer-busy',
  voicemail: 'voicemail',
  misdialed: 'twilio-reported-customer-misdialed',
  failed: 'call.in-progress.error-providerfault-transport-never-connected',
  unheard: 'call.in-progress.error-sip-outbound-call-failed-to-connect',
  canceled: 'manually-canceled',
  unconfirmed: UNCONFIRMED,
}

/** The platform's reason for a call that the carrier did not take. */
const REFUSED = 'call.start.error-get-transport'

/** What a request may name on the platform, and what to do here instead. */
const NOT_SERVED = {
  customers: 'Batches are not served by the built-in voice platform: create one call for each customer.',
  customerId: 'Stored customers are not served by the built-in voice platform: give customer.number.',
  phoneNumber: 'Numbers given inline are not served by the built-in voice platform: give phoneNumberId.',
  schedulePlan:
    'Scheduled calls are not served by the built-in voice platform: create the call when it is due.',
  transport:
    'Of the transports of POST /call, the built-in voice platform serves only provider vapi.websocket, without a customer.',
} as const satisfies Partial<Record<keyof CreateCallBody, string>>

/** A machine that answers ends the call, or gets the assistant's message. With `voicemailDetection` off it counts as a person. */
function machines({
  voicemailDetection: detection,
  voicemailMessage,
}: CreateAssistant): Pick<DialRequest, 'machines'> {
  if (detection === 'off' || (detection?.provider === 'twilio' && detection.enabled === false)) return {}
  return { machines: voicemailMessage?.trim() ? 'report' : 'end' }
}

export interface PhoneCallsOptions {
  db: Db
  store: CallStore
  assistants: AssistantStore
  scripts: Scripts
  progress: CallProgress
  retries: Retries
  conversations: Conversations
  house: House
  engines: Engines
  carrier: Carrier
  incoming: IncomingCalls
  defaultNumberId(): Promise<string>
  /** The campaign that a call of this name is part of: the call desk knows it, whatever a client says of the call. */
  campaignOf(name: string): Promise<string | undefined>
  clock: Clock
  logger: Logger
}

/** Phone calls. An outbound one has one customer and is placed at once through the carrier. */
export class PhoneCalls implements CarrierEvents {
  readonly #options: PhoneCallsOptions
  readonly #lanes = new Lanes()
  /** Calls that were answered while the database was away. */
  readonly #answersNotStored = new Set<string>()

  constructor(options: PhoneCallsOptions) {
    this.#options = options
  }

  /**
   * Resolves once the carrier has the call. Rejects with an `ApiError`: 400 when the carrier refuses it, 409 where it was ended before it was
   * dialled, 429 where the house is full, or where another try, or another process, may place it.
   */
  async create(body: CreateCallBody): Promise<Call> {
    const guard = new StallGuard(this.#options.clock)
    const { row, request, campaignId } = await this.#begin(body).catch((error: unknown) => {
      // A 503 would leave it open whether a phone rings. What was perhaps stored is removed.
      throw isOutage(error) ? notBegun(error) : error
    })
    await this.#dial(request, guard, campaignId)
    return callView(row)
  }

  onRinging(callId: string): void {
    this.#options.conversations.expect(callId)
    this.#inOrder(callId, () => this.#options.progress.ring(callId))
  }

  onPickedUp(callId: string): Promise<void> {
    return this.#inOrder(callId, () => this.#pickUp(callId))
  }

  onAnswered(callId: string, link: Link, by?: 'machine'): void {
    this.#options.incoming.confirmed(callId)
    this.#inOrder(callId, async () => {
      const conversation = await this.#options.conversations.begin(callId, link, by)
      // From here on its conversation tells what it costs.
      if (conversation) this.#answersNotStored.delete(callId)
      void conversation?.closed.then(() => this.hangUp(callId))
    })
  }

  onBackFromTransfer(callId: string, link: Link, why: TransferEnd): void {
    this.#inOrder(callId, () => this.#options.conversations.backFromTransfer(callId, link, why))
  }

  async onIncoming(call: IncomingCall, wait?: IncomingWait): Promise<IncomingAnswer> {
    const answer = await this.#options.incoming.take(call, wait)
    if ('callId' in answer) this.#options.conversations.expect(answer.callId)
    return answer
  }

  onMachine(callId: string): void {
    this.#inOrder(callId, async () => this.#options.conversations.leaveMessage(callId))
  }

  onEnded(callId: string, end: LegEnd): void {
    this.#inOrder(callId, async () => {
      const { conversations, incoming, store } = this.#options
      const reason = ENDED_REASONS[end]
      if (end === 'unconfirmed') await incoming.endUnconfirmed(callId)
      else incoming.confirmed(callId)
      if (conversations.has(callId)) return conversations.end(callId, reason)
      conversations.forget(callId)
      await this.#endUnanswered(callId, reason)
      // Anybody makes up such calls, and each has the whole assistant.
      if (end === 'unconfirmed') await store.forgetAssistant(callId)
    })
  }

  /** Makes the carrier end a call that is over. Never rejects. */
  hangUp(callId: string): Promise<void> {
    return this.#lanes.run(callId, async () => {
      try {
        await this.#options.carrier.hangUp(callId)
      } catch (error) {
        this.#options.logger.warn({ callId, err: error }, 'phone call not hung up; it may go on')
      }
    })
  }

  /** Resolves when every report of the carrier is stored. */
  idle(): Promise<void> {
    return this.#lanes.idle()
  }

  /** All that comes before the carrier is asked. */
  async #begin(
    body: CreateCallBody,
  ): Promise<{ row: CallRow; request: DialRequest; campaignId: string | undefined }> {
    for (const [name, message] of Object.entries(NOT_SERVED))
      if (body[name as keyof typeof NOT_SERVED] !== undefined) throw ApiError.notServed(message)
    const customer = body.customer && this.#options.assistants.secrets.sealed(body.customer)
    if (!customer) throw new ApiError(400, ['customer should not be empty'])
    const { number } = customer
    if (number === undefined || customer.sipUri !== undefined)
      throw ApiError.notServed(
        'SIP addresses are not served by the built-in voice platform: give customer.number, and no sipUri.',
      )
    // Whatever `numberE164CheckEnabled` says: a row with another spelling would not be found by its number.
    if (!E164.test(number)) throw new ApiError(400, 'The number to call is not in the E.164 format.')
    const { assistants, scripts, engines, store, house, carrier, logger } = this.#options
    house.refuseIfFull('outboundPhoneCall')
    const chosen = await findCallAssistant(body, assistants, { scripts })
    const phoneNumberId = body.phoneNumberId ?? (await this.#options.defaultNumberId())
    const from = await callerId(this.#options.db, phoneNumberId)
    const assistant = withOverrides(chosen.assistant, customer.assistantOverrides)
    const campaignId = body.name === undefined ? undefined : await this.#options.campaignOf(body.name)
    // Of a call that this process cannot place nothing is stored, and nobody is told.
    await carrier.prepare?.().catch((error: unknown) => {
      throw error instanceof CarrierRefusal ? refused(error, campaignId) : error
    })
    const id = randomUUID()
    const row = await store
      .insert({
        id,
        type: 'outboundPhoneCall',
        ...(campaignId !== undefined && { campaignId }),
        ...chosen,
        assistant,
        ...(body.name !== undefined && { name: body.name }),
        phoneNumberId,
        customer,
        carrier: carrier.name,
      })
      .catch((error: unknown) => {
        // It may be stored, and only the answer was lost.
        this.#inOrder(id, () => removeCall(id, this.#options))
        throw error
      })
    const { firstMessage, maxDurationSeconds } = sessionAssistant(
      assistant,
      callVariables(row, row.created_at),
    )
    if (firstMessage) engines.voice.prepare?.(firstMessage)
    logger.info({ callId: row.id, carrier: carrier.name }, 'phone call created')
    const request: DialRequest = {
      callId: row.id,
      to: number,
      from,
      ringSeconds: RING_SECONDS,
      mostSeconds: maxDurationSeconds,
      ...machines(assistant),
    }
    return { row, request, campaignId }
  }

  async #dial(request: DialRequest, guard: StallGuard, campaignId: string | undefined): Promise<void> {
    const { carrier, store, progress, logger } = this.#options
    const { callId } = request
    try {
      guard.check()
      const span = { name: `carrier dial ${carrier.name}`, attributes: { callId }, isQuestion: true }
      const leg = await traced(span, () => carrier.dial(request, guard))
      await store.setCarrierCallId(callId, leg.id)
    } catch (error) {
      if (error instanceof CarrierRefusal) {
        // Of what may be placed later nobody hears that it has ended.
        const comesAgain = error.mayPass || isOfCampaignsLines(error, campaignId)
        const by = randomUUID()
        const settled = comesAgain
          ? store.remove(callId)
          : progress.endUnanswered(callId, REFUSED, by).then(() => true)
        // The request is answered at once. What could not be stored now is stored in the background.
        const wasOpen = await settled.catch(() => {
          this.#inOrder(callId, () =>
            comesAgain ? removeCall(callId, this.#options) : this.#endUnanswered(callId, REFUSED, by),
          )
          return true
        })
        logger.info({ callId, code: error.code }, 'phone call refused by the carrier')
        throw wasOpen ? refused(error, campaignId) : overBefore(error)
      }
      // The call may ring nevertheless. It stays queued, and the carrier reports what becomes of it.
      logger.warn({ callId, err: error }, 'phone call may not have been placed')
    }
  }

  async #pickUp(callId: string): Promise<void> {
    this.#answersNotStored.add(callId)
    await this.#options.store.pickedUp(callId)
    this.#answersNotStored.delete(callId)
  }

  async #endUnanswered(callId: string, reason: string, by: string = randomUUID()): Promise<void> {
    const { progress, retries, logger } = this.#options
    await retries.run(
      async () => {
        // What it costs is told with its end.
        if (this.#answersNotStored.has(callId)) await this.#pickUp(callId)
        return await progress.endUnanswered(callId, reason, by)
      },
      (error) => logger.warn({ callId, err: error }, 'end of a phone call not stored yet; it is tried again'),
    )
  }

  /** Never rejects. */
  async #inOrder(callId: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await this.#lanes.run(callId, work)
    } catch (error) {
      this.#options.logger.error({ callId, err: error }, 'report of the carrier not stored')
    }
  }
}
