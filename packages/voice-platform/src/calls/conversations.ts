import { randomUUID } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { ToolSecrets } from '../assistants/tool-secrets.js'
import type { TransferEnd } from '../carriers/carrier.js'
import type { Engines } from '../engines/engine.js'
import { EngineUsage } from '../engines/engine-usage.js'
import type { CallKnowledge } from '../knowledge/call-knowledge.js'
import type { Link } from '../link/link.js'
import type { CallRecording } from '../recording/call-recording.js'
import type { Recordings } from '../recording/recordings.js'
import type { ResourceStore } from '../resources/resource-store.js'
import type { Session, SessionRecord, StartSession } from '../session/session.js'
import type { NextSpeaker } from '../session/session-assistant.js'
import type { FindAssistant } from '../squads/members.js'
import type { Retries } from '../work/retries.js'
import { resolvedArtifactPlan } from './artifact-plan.js'
import { callCosts, type Prices } from './call-costs.js'
import type { CallProgress } from './call-progress.js'
import type { CallRow } from './call-row.js'
import { CallSpeakers } from './call-speakers.js'
import { type CallTools, mostToolCallsOf } from './call-tools.js'
import type { ControlMessage } from './control-message.js'
import { EarlyListeners } from './early-listeners.js'
import type { House } from './house.js'
import type { PlatformMeasures } from './platform-measures.js'
import { RunningRecord } from './running-record.js'
import type { Transfers } from './transfers.js'

/** The platform's reason for a call that its process could not continue. */
export const BROKEN = 'call.in-progress.error-vapifault-worker-died'

/** The platform's reason for a call that a number's server has handed on to another number. */
const FORWARDED = 'assistant-request-returned-forwarding-phone-number'
/** Said where nobody answers there. */
const NOBODY_THERE = 'I am sorry, nobody can be reached there. Please call again later.'

export interface ConversationsOptions {
  startSession: StartSession
  /** Finds a stored assistant. */
  findAssistant: FindAssistant
  engines: Engines
  progress: CallProgress
  retries: Retries
  house: House
  transfers: Transfers
  callTools: CallTools
  /** The tools that are stored by themselves. */
  storedTools: ResourceStore
  /** Of the tools that lie in assistants. */
  toolSecrets: ToolSecrets
  measures?: PlatformMeasures | undefined
  /** Without them costs are not counted. */
  prices?: Prices | undefined
  /** Left out: nothing is recorded. */
  recordings?: Recordings | undefined
  /** What a call looks things up in; undefined for one that has nothing. */
  knowledgeOf?: (call: CallRow, logger: Logger) => CallKnowledge | undefined
  clock: Clock
  logger: Logger
}

/** Holds the conversations of this process, and stores their records when they are over. */
export class Conversations {
  readonly #options: ConversationsOptions
  readonly #sessions = new Map<string, Session>()
  readonly #speakers = new Map<string, CallSpeakers>()
  /** The calls that were handed on at once. */
  readonly #forwarded = new Set<string>()
  readonly #early: EarlyListeners
  /** The calls that go on. */
  readonly #running = new Set<string>()
  /** Aborts when the process is about to stop. */
  readonly #closing = new AbortController()
  readonly #recording = new Set<Promise<void>>()
  /** The sound of the calls that are recorded. */
  readonly #sounds = new Map<string, CallRecording>()

  constructor(options: ConversationsOptions) {
    const { engines, measures, clock } = options
    this.#options = options
    this.#early = new EarlyListeners({ transcriber: engines.transcriber, measures, clock })
  }

  /**
   * Begins the conversation of a call on this link. The link of a call that cannot begin is closed, so that nobody waits in silence.
   * Never rejects. `closed` resolves when the conversation is over; its record is stored after that. A machine gets the assistant's message for
   * voicemail boxes, and nothing else.
   */
  async begin(callId: string, link: Link, by?: 'machine'): Promise<{ closed: Promise<void> } | undefined> {
    const { progress, logger } = this.#options
    try {
      const row = await progress.begin(callId)
      if (row) {
        const speakers = this.#speakersOf(row)
        return { closed: this.#hold(row, link, speakers, await speakers.first(), by) }
      }
      this.#early.forget(callId)
      this.#options.house.leave(callId)
      link.close('manually-canceled')
    } catch (error) {
      logger.error({ callId, err: error }, 'call not begun')
      this.#early.forget(callId)
      this.#options.house.leave(callId)
      link.close(BROKEN)
      await this.#break(callId)
    }
    return undefined
  }

  /** A phone rings, or a room waits for its caller: the transcriber is connected to. Never throws. */
  expect(callId: string): void {
    if (!this.#closing.signal.aborted) this.#early.expect(callId)
  }

  /** Nobody has come. */
  forget(callId: string): void {
    this.#early.forget(callId)
  }

  has(callId: string): boolean {
    return this.#sessions.has(callId)
  }

  /** The calls that this process holds, including those whose record is not stored yet. */
  held(): string[] {
    return [...this.#sessions.keys()]
  }

  /** Those of them whose conversation goes on, and was not told to end. */
  running(): string[] {
    return [...this.#running]
  }

  /** Steers a conversation of this process. `end-call` ends it without a goodbye. False where this process does not hold the call. */
  control(callId: string, message: ControlMessage): boolean {
    const session = this.#sessions.get(callId)
    if (message.type === 'transfer') session?.transfer(message.to)
    else if (message.type === 'handoff') void this.#handOff(callId, message)
    else if (message.type === 'end-call') session?.end('assistant-ended-call')
    else session?.obey(message)
    return session !== undefined
  }

  /** Never rejects. */
  async #handOff(
    callId: string,
    { to, content }: Extract<ControlMessage, { type: 'handoff' }>,
  ): Promise<void> {
    const { logger } = this.#options
    try {
      const target = await this.#speakers.get(callId)?.named(to)
      if (!target) logger.warn({ callId }, 'a call is not handed over: nobody is the destination')
      else
        this.#sessions.get(callId)?.handOff({ ...target, ...(content !== undefined && { message: content }) })
    } catch (error) {
      logger.warn({ callId, err: error }, 'a call is not handed over: its destination could not be found')
    }
  }

  /** A transferred call is back, because nobody has answered. Without a conversation here its link is closed. */
  async backFromTransfer(callId: string, link: Link, why: TransferEnd): Promise<void> {
    // Before the session is told: it may transfer the call again.
    const givenBack = this.#options.transfers.giveBack(callId)
    const session = this.#sessions.get(callId)
    if (session) session.backFromTransfer(this.#sounds.get(callId)?.tap(link) ?? link, why)
    else link.close(BROKEN)
    // Nobody else is there to talk to.
    if (this.#forwarded.has(callId)) session?.sayGoodbye(NOBODY_THERE, FORWARDED)
    await givenBack
  }

  /** A voicemail box listens: leaves the assistant's message and ends the conversation. */
  leaveMessage(callId: string): void {
    this.#sessions.get(callId)?.leaveMessage()
  }

  /** Ends one of this process's conversations. */
  end(callId: string, reason: string): void {
    this.#running.delete(callId)
    this.#sessions.get(callId)?.end(reason)
  }

  /** The assistant says this in each of them, and ends it. Resolves when all records are stored. */
  async sayGoodbye(text: string, reason: string): Promise<void> {
    this.#closing.abort()
    for (const session of this.#sessions.values()) session.sayGoodbye(text, reason)
    await Promise.all(this.#recording)
  }

  /** Ends all of them; resolves when their records are stored. */
  async endAll(reason: string): Promise<void> {
    this.#closing.abort()
    this.#early.close()
    for (const session of this.#sessions.values()) session.end(reason)
    await Promise.all(this.#recording)
  }

  #speakersOf(call: CallRow): CallSpeakers {
    const {
      engines,
      findAssistant: find,
      callTools,
      storedTools,
      toolSecrets,
      knowledgeOf,
      clock,
    } = this.#options
    const logger = this.#options.logger.child({ callId: call.id })
    return new CallSpeakers(call, {
      ...{ model: engines.model, find, callTools, storedTools, toolSecrets, knowledgeOf, clock, logger },
    })
  }

  #hold(
    call: CallRow,
    link: Link,
    speakers: CallSpeakers,
    { model, id, ...first }: NextSpeaker,
    by?: 'machine',
  ): Promise<void> {
    const { startSession, engines, house, measures } = this.#options
    const logger = this.#options.logger.child({ callId: call.id })
    logger.info({ type: call.type }, 'call in progress')
    const usage = this.#options.prices && new EngineUsage()
    const answeredMsAgo = answeredBefore(call)
    const sound = by ? undefined : this.#options.recordings?.begin(call.id, call.assistant, logger)
    if (sound) this.#sounds.set(call.id, sound)
    const session = startSession({
      ...{ link: sound?.tap(link) ?? link, logger, usage, ...first, assistantId: id },
      engines: { ...engines, transcriber: this.#early.transcriberOf(call.id), model },
      ...(by && { by }),
      opening: sound && { text: sound.announcement, onSaid: (isHeard) => sound.announced(isHeard) },
      ...(measures && { onMeasured: (turn) => measures.turn(turn) }),
      bridge: this.#options.transfers.bridgeOf(call),
      ...{ mostToolCalls: mostToolCallsOf(call), closing: this.#closing.signal },
      ...(answeredMsAgo !== undefined && { answeredMsAgo }),
      onTranscribed: (role, transcript) => this.#options.progress.transcribed(call, role, transcript),
    })
    this.#sessions.set(call.id, session)
    this.#speakers.set(call.id, speakers)
    this.#running.add(call.id)
    house.enter(call.id, call.type)
    const { farewell, forward } = call.script ?? {}
    if (farewell) session.sayGoodbye(farewell.text, farewell.endedReason)
    if (forward) {
      this.#forwarded.add(call.id)
      session.transfer(forward)
    }
    const recorded = this.#record(call, session, logger, usage).finally(() =>
      this.#recording.delete(recorded),
    )
    this.#recording.add(recorded)
    return session.closed
  }

  async #record(call: CallRow, session: Session, logger: Logger, usage?: EngineUsage): Promise<void> {
    const { progress, retries, house, transfers, clock, prices } = this.#options
    const { transcriptPlan } = resolvedArtifactPlan(call.assistant)
    const running = new RunningRecord({
      messages: () => session.messages(),
      write: (change) => progress.note(call.id, change, transcriptPlan),
      onFailed: (error) =>
        logger.warn({ err: error }, 'the words so far are not stored yet; it is tried again'),
      clock,
    })
    await session.closed
    // Its place is free, though its caller's last words may still come.
    this.#running.delete(call.id)
    house.leave(call.id)
    const over = await session.ended
    const isForwarded = this.#forwarded.has(call.id) && over.endedReason === 'assistant-forwarded-call'
    const ended = isForwarded ? { ...over, endedReason: FORWARDED } : over
    running.close()
    const { endedReason } = ended
    const record = withNote(
      withVariables(ended, this.#speakers.get(call.id)),
      await this.#sounds.get(call.id)?.end(),
    )
    const seconds = (record.endedAt.getTime() - record.startedAt.getTime()) / 1000
    const { provider, model } = call.assistant.model ?? {}
    const named = { ...(provider !== undefined && { provider }), ...(model !== undefined && { model }) }
    const costs = prices && usage && callCosts(prices, usage, seconds, named)
    this.#options.measures?.conversationEnded(call.type, endedReason)
    const by = randomUUID()
    try {
      await retries.run(
        () => progress.end(call.id, record, transcriptPlan, costs, by),
        (error) =>
          logger.warn({ err: error, endedReason }, 'record of a call not stored yet; it is tried again'),
      )
      logger.info({ endedReason }, 'call ended')
    } catch (error) {
      logger.error({ err: error, endedReason }, 'call ended, but its record was not stored')
    } finally {
      this.#sessions.delete(call.id)
      this.#speakers.delete(call.id)
      this.#forwarded.delete(call.id)
      this.#sounds.delete(call.id)
      this.#early.forget(call.id)
      this.#options.recordings?.over(call.id)
      transfers.forget(call.id)
    }
  }

  async #break(callId: string): Promise<void> {
    const { progress, retries, logger } = this.#options
    const by = randomUUID()
    try {
      await retries.run(
        () => progress.breakOff(callId, BROKEN, by),
        // The failure was logged when the call did not begin.
        () => undefined,
      )
    } catch (error) {
      logger.error({ callId, err: error }, 'call not begun, and its end could not be stored')
    }
  }
}

/** How long before its conversation a call was answered that its carrier bills, in milliseconds. */
function answeredBefore({ answered_at, started_at }: CallRow): number | undefined {
  return answered_at && started_at ? Math.max(0, started_at.getTime() - answered_at.getTime()) : undefined
}

/** The record with what was read in the call, and in the workflow's last node. */
function withVariables(record: SessionRecord, speakers: CallSpeakers | undefined): SessionRecord {
  const { variables = {} } = speakers ?? {}
  if (Object.keys(variables).length === 0) return record
  const last = record.activations?.at(-1)
  const here = { ...last?.variables, ...speakers?.leaveNode() }
  if (last?.node === undefined || Object.keys(here).length === 0) return { ...record, variables }
  const activations = record.activations?.with(-1, { ...last, variables: here })
  return { ...record, variables, ...(activations && { activations }) }
}

/** The record with what became of the recording, if that is to be said. */
function withNote(record: SessionRecord, note: string | undefined): SessionRecord {
  if (note === undefined) return record
  const { startedAt, endedAt } = record
  const secondsFromStart = (endedAt.getTime() - startedAt.getTime()) / 1000
  const line = { role: 'system', message: note, time: endedAt.getTime(), secondsFromStart } as const
  return { ...record, messages: [...record.messages, line] }
}
