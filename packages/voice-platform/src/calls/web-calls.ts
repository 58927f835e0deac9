import { randomUUID } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import { hashOf, newSecret } from '@heyline/kit/secret'
import type { Call } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { callVariables } from '../assistants/call-variables.js'
import { sessionAssistant } from '../assistants/session-assistant.js'
import { withoutToolSecrets } from '../assistants/tool-secrets.js'
import type { Engines } from '../engines/engine.js'
import type { Link } from '../link/link.js'
import type { Retries } from '../work/retries.js'
import type { CallAssistant } from './call-assistant.js'
import type { CallProgress } from './call-progress.js'
import type { CallRow } from './call-row.js'
import type { CallStore, NewCall } from './call-store.js'
import { callView } from './call-view.js'
import type { Conversations } from './conversations.js'
import type { House } from './house.js'
import type { InstallationRoom } from './installation-room.js'
import { roomAddress } from './room-address.js'
import { SOCKET_TRANSPORT } from './socket-call-request.js'

/** How long a web call waits for its customer, in seconds, by default (the platform's own). */
const JOIN_SECONDS = 15

/** The platform's reason for a customer who never came, or came without a microphone. */
const NOBODY_CAME = 'assistant-did-not-receive-customer-audio'

export interface WebCallsOptions {
  store: CallStore
  house: House
  installation: InstallationRoom
  progress: CallProgress
  retries: Retries
  conversations: Conversations
  engines: Engines
  /** The id of the engine's voice, at its provider. */
  voiceId: string
  publicUrl: string
  clock: Clock
  logger: Logger
}

/** What is stored of a call in a room. */
type RoomCall = CallAssistant & Pick<NewCall, 'carrier' | 'name' | 'isPublic'>

/** Calls without a phone: in a browser, or of a program. Each has a room with one seat, and only the answer to the request has its address. */
export class WebCalls {
  readonly #options: WebCallsOptions
  readonly #waiting = new Map<string, () => void>()

  constructor(options: WebCallsOptions) {
    this.#options = options
  }

  /** Rejects with an `ApiError` 503 where one more call is too many for the whole installation. Nothing is taken. */
  async refuseIfFull(): Promise<void> {
    const { house, installation } = this.#options
    if (house.isShut || !(await installation.isLeft())) throw house.refusal('webCall')
  }

  /**
   * Takes room for a call, and runs what creates it; the room goes back where that fails. Rejects with an `ApiError` 503 where one more call is
   * too many for the whole installation.
   */
  async inRoom<Created>(create: () => Promise<Created>): Promise<Created> {
    const { house, installation } = this.#options
    const giveBack = house.isShut ? undefined : await installation.take()
    if (!giveBack) throw house.refusal('webCall')
    try {
      return await create()
    } catch (error) {
      giveBack()
      throw error
    }
  }

  /**
   * Whether this process may run this call. One that was counted here always comes in; another needs room. Those that were counted here and
   * that another process runs by now are not in the way.
   */
  async hasRoomFor(callId: string): Promise<boolean> {
    const { house, store } = this.#options
    if (house.has(callId)) return true
    if (house.isShut) return false
    return house.figures.room > 0 || (await store.countHeld(house.callIds)) < house.most
  }

  /** A call of a page, to be created `inRoom`. */
  async create(chosen: RoomCall): Promise<Call> {
    const { row, address } = await this.#open(chosen)
    return {
      ...callView(row),
      webCallUrl: address,
      // The engine's voice speaks, whatever provider the assistant names. Nothing else of a stored assistant is shown,
      // since the public key gets this answer.
      assistant: {
        ...withoutToolSecrets(chosen.assistantGiven),
        voice: { provider: this.#options.engines.voice.name, voiceId: this.#options.voiceId },
      },
    }
  }

  /** A call of a program, over the plain transport, to be created `inRoom`. */
  async createForSocket(chosen: CallAssistant, name?: string): Promise<Call> {
    const carried = { carrier: SOCKET_TRANSPORT, ...(name !== undefined && { name }) }
    const { row, address } = await this.#open({ ...chosen, ...carried })
    const call = callView(row)
    return { ...call, transport: { ...call.transport, websocketCallUrl: address } }
  }

  /** Somebody has come into the room of a web call. */
  joined(call: CallRow, link: Link): void {
    this.#stopWaiting(call.id)
    this.#options.house.enter(call.id, 'webCall')
    void this.#options.conversations.begin(call.id, link)
  }

  /** Ends a call whose address nobody was told. */
  takeBack(callId: string): void {
    this.#stopWaiting(callId)
    this.#options.conversations.forget(callId)
    this.#options.house.leave(callId)
    void this.#endUnjoined(callId, 'manually-canceled')
  }

  close(): void {
    for (const stop of this.#waiting.values()) stop()
    this.#waiting.clear()
  }

  /** Stores a call, and opens its room until somebody joins or the time to join is over. */
  async #open(chosen: RoomCall): Promise<{ row: CallRow; address: string }> {
    const { house, engines, store, clock, publicUrl, logger } = this.#options
    // It may have been shut since room was taken.
    if (house.isShut) throw house.refusal('webCall')
    const id = randomUUID()
    const variables = callVariables(chosen, new Date(clock.now()))
    const { firstMessage } = sessionAssistant(chosen.assistant, variables)
    if (firstMessage) engines.voice.prepare?.(firstMessage)
    const secret = newSecret()
    const joinMs = (chosen.assistant.customerJoinTimeoutSeconds ?? JOIN_SECONDS) * 1000
    const room = { secretHash: hashOf(secret), joinMs }
    // Where this process is full, another will run it.
    if (house.figures.room > 0) house.enter(id, 'webCall')
    const row = await store.insert({ id, type: 'webCall', ...chosen, room }).catch((error: unknown) => {
      house.leave(id)
      throw error
    })
    this.#awaitCustomer(row.id, joinMs)
    // Where this process is full, another one will run it.
    if (house.has(id)) this.#options.conversations.expect(id)
    logger.info(
      { callId: row.id, ...(row.carrier !== null && { transport: row.carrier }) },
      'web call created',
    )
    return { row, address: roomAddress(publicUrl, row.id, secret) }
  }

  #awaitCustomer(callId: string, ms: number): void {
    const { clock, house } = this.#options
    const expire = () => {
      this.#waiting.delete(callId)
      this.#options.conversations.forget(callId)
      house.leave(callId)
      void this.#endUnjoined(callId, NOBODY_CAME)
    }
    this.#waiting.set(callId, clock.after(ms, expire))
  }

  /** Never rejects. */
  async #endUnjoined(callId: string, reason: string): Promise<void> {
    const { progress, retries, logger } = this.#options
    const by = randomUUID()
    try {
      await retries.run(
        () => progress.endUnanswered(callId, reason, by),
        (error) =>
          logger.warn({ callId, err: error }, 'web call that nobody joined not ended yet; it is tried again'),
      )
    } catch (error) {
      logger.error({ callId, err: error }, 'web call that nobody joined was not ended')
    }
  }

  #stopWaiting(callId: string): void {
    this.#waiting.get(callId)?.()
    this.#waiting.delete(callId)
  }
}
