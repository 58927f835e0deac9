import { type Clock, steadyClock, systemClock } from '@heyline/kit/clock'
import type { Link } from '../link/link.js'
import { AssistantPart } from './assistant-part.js'
import { AssistantSpeech } from './assistant-speech.js'
import type { TransferDestination, UnansweredTransfer } from './bridge-call.js'
import { CallLink } from './call-link.js'
import { CallerPart } from './caller-part.js'
import { Cast } from './cast.js'
import { ClientEvents } from './client-events.js'
import type { ClientMessage } from './client-message.js'
import { ClientOrders } from './client-orders.js'
import { Conversation } from './conversation.js'
import { Floor } from './floor.js'
import { Handoff } from './handoff.js'
import { LastWords } from './last-words.js'
import { longestMs } from './longest-time.js'
import { QuietWatch } from './quiet-watch.js'
import type { Session, SessionMessage, SessionOptions, SessionRecord, TurnLatency } from './session.js'
import type { HandoffTarget } from './session-assistant.js'
import { firstSpeaker } from './speakers.js'
import { takeOver } from './take-over.js'
import { ToolRounds } from './tool-rounds.js'
import { ToolUses } from './tool-uses.js'
import { Transfer } from './transfer.js'

/** How long the end of a call waits to learn what was heard of the cut sentence, in milliseconds. */
const END_GRACE_MS = 300

/**
 * Runs one conversation over a link. The caller's speech becomes turns, and a turn becomes a line. The model replies and the voice
 * speaks; the caller may interrupt. Keys become lines too. A goodbye of the assistant may end the call. Another assistant may take over.
 */
export function startSession(options: SessionOptions, clock: Clock = systemClock): Session {
  const session = new RunningSession(options, steadyClock(clock))
  session.start()
  return session
}

class RunningSession implements Session {
  readonly closed: Promise<void>
  readonly ended: Promise<SessionRecord>
  readonly #options: SessionOptions
  readonly #link: CallLink
  readonly #clock: Clock
  readonly #startedAt: Date
  readonly #conversation: Conversation
  readonly #cast: Cast
  readonly #events: ClientEvents
  readonly #speech: AssistantSpeech
  readonly #floor: Floor
  readonly #part: AssistantPart
  readonly #transfer: Transfer
  readonly #handoff: Handoff
  readonly #rounds: ToolRounds
  readonly #uses: ToolUses
  readonly #caller: CallerPart
  readonly #lastWords: LastWords
  readonly #quiet: QuietWatch
  readonly #orders: ClientOrders
  readonly #over = new AbortController()
  readonly #latencies: TurnLatency[] = []
  #close = () => {}
  #settle: (record: SessionRecord) => void = () => {}
  #stopDuration = () => {}

  constructor(options: SessionOptions, clock: Clock) {
    const { assistant, logger } = options
    const { signal } = this.#over
    const link = new CallLink(options.link)
    this.#options = options
    this.#link = link
    this.#clock = clock
    this.#startedAt = new Date(clock.now())
    this.closed = new Promise((resolve) => {
      this.#close = resolve
    })
    this.ended = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#lastWords = new LastWords(clock, options.closing)
    const conversation = new Conversation(clock.now(), assistant.systemPrompt)
    const events = new ClientEvents(link, clock, assistant.clientMessages, options.onTranscribed)
    const cast = new Cast(firstSpeaker(options, conversation, clock), clock.now())
    const floor = new Floor({
      onChanged: () => {
        this.#rounds.stir()
        this.#watchQuiet()
      },
      onFailed: (error) =>
        logger.error({ err: error }, 'the assistant could not speak in its turn; the call goes on'),
      onFull: () => logger.debug('too many contributions wait; the last one is dropped'),
    })
    const shared = { cast, conversation, events, floor, clock, logger, signal }
    const speech = new AssistantSpeech({
      ...shared,
      link,
      onSoundChanged: () => {
        this.#caller.soundChanged()
        this.#rounds.stir()
        this.#handoff.stir()
        this.#watchQuiet()
      },
      onMeasured: (turn) => {
        this.#latencies.push(turn.latency)
        options.onMeasured?.(turn)
      },
      onToolCalls: (calls, hasWords) => this.#uses.use(calls, hasWords),
      onReplied: () => void this.#goOnward('spoken'),
      onSaid: (words) => {
        if (!this.#part.isLeaving && cast.now.isGoodbye(words)) this.end('assistant-said-end-call-phrase')
      },
    })
    const part = new AssistantPart({ cast, floor, speech, end: (endedReason) => this.end(endedReason) })
    const parts = { ...shared, part, speech }
    const transfer = new Transfer({
      ...parts,
      bridge: options.bridge,
      endsAt: clock.now() + longestMs(options),
      say: (text) => void part.take(async (signal) => void (await speech.say(text, signal))),
      onBegun: ({ number }) => events.transfer(number),
      // The call goes on without us, until the carrier tells that it is over, or its time is up.
      onBridged: () => {
        part.hold()
        this.#watchQuiet()
      },
      onGone: () => this.end('customer-ended-call'),
      onBack: () => {
        events.conversation(conversation)
        part.resume()
        this.#watchQuiet()
      },
    })
    const rounds = new ToolRounds({
      ...parts,
      mostToolCalls: options.mostToolCalls,
      callerSpeaks: () => this.#caller.speaking,
      isFloorBusy: () => floor.busy,
      onChanged: () => this.#watchQuiet(),
    })
    this.#uses = new ToolUses({
      ...parts,
      rounds,
      transfer: (destination) => this.transfer(destination),
      handOff: (target) => this.handOff(target),
    })
    this.#quiet = new QuietWatch(clock, assistant.silenceTimeoutSeconds * 1000, {
      onSilent: () => this.end('silence-timed-out'),
      onHang: () => events.hang(),
    })
    this.#handoff = new Handoff({
      ...parts,
      isTransferred: () => !transfer.isIdle,
      callerSpeaks: () => this.#caller.speaking,
      onOpened: (next, target) => {
        takeOver(next, target, { ...parts, link, session: options, caller: this.#caller, quiet: this.#quiet })
        this.#watchQuiet()
      },
      transfer: (destination) => this.transfer(destination),
      leave: (message) => this.#uses.leave(message),
    })
    this.#caller = new CallerPart({
      ...parts,
      rounds,
      ...{ transcriber: options.engines.transcriber, wordsSignal: this.#lastWords.signal },
      instead: () => this.#goOnward('answered'),
      onChanged: () => {
        this.#handoff.stir()
        this.#watchQuiet()
      },
      onKey: () => {
        this.#quiet.stir()
        this.#watchQuiet()
      },
    })
    this.#orders = new ClientOrders({
      ...{ ...parts, caller: this.#caller },
      isBridged: () => transfer.isBridged,
      hangUp: () => this.end('customer-ended-call'),
    })
    this.#conversation = conversation
    this.#cast = cast
    this.#events = events
    this.#floor = floor
    this.#speech = speech
    this.#part = part
    this.#transfer = transfer
    this.#rounds = rounds
  }

  start(): void {
    const { assistant, logger, opening, node } = this.#options
    const link = this.#link
    logger.info('session started')
    this.#stopDuration = this.#clock.after(longestMs(this.#options), () => this.end('exceeded-max-duration'))
    link.open({
      onAudio: (samples) => this.#caller.audio(samples),
      onMessage: (message) => this.#orders.hear(message),
      onDigit: (key) => this.#caller.press(key),
      onClosed: () => {
        if (!this.#transfer.linkClosed()) this.end('customer-ended-call')
      },
    })
    if (this.#isOver) return
    link.office(assistant.backgroundSound === 'office')
    link.listening()
    this.#events.inProgress()
    this.#events.assistantStarted(assistant, this.#cast.now.engines.voice.name)
    if (node !== undefined) this.#events.nodeStarted(node)
    if (this.#options.by === 'machine') this.#part.leaveMessage()
    else {
      if (opening) this.#part.open(opening)
      if (node === undefined) this.#part.greet()
      else this.#part.takeOver()
    }
    this.#watchQuiet()
  }

  messages(): SessionMessage[] {
    return this.#conversation.record()
  }

  obey(message: ClientMessage): void {
    this.#orders.obey(message)
  }

  transfer(destination: TransferDestination): void {
    if (!this.#isOver && !this.#part.isLeaving && !this.#handoff.isUnderWay) this.#transfer.start(destination)
  }

  handOff(target: HandoffTarget): void {
    if (!this.#isOver) this.#handoff.start(target)
  }

  backFromTransfer(link: Link, why: UnansweredTransfer): void {
    if (this.#isOver || !this.#transfer.isUnderWay) link.close('assistant-forwarded-call')
    else this.#transfer.unanswered(why, () => this.#link.replace(link))
  }

  leaveMessage(): void {
    if (!this.#isOver) this.#part.leaveMessage()
  }

  sayGoodbye(text: string, endedReason: string): void {
    if (this.#isOver) return
    if (this.#transfer.isBridged) this.end(endedReason)
    else this.#part.leaveWith(text, endedReason)
  }

  end(reason: string): void {
    if (this.#isOver) return
    const isForwarded = this.#transfer.isBridged && reason === 'customer-ended-call'
    const endedReason = isForwarded ? 'assistant-forwarded-call' : reason
    this.#over.abort(new DOMException('the call is over', 'AbortError'))
    this.#stopDuration()
    this.#quiet.close()
    const known = this.#lastWords.wait(this.#caller.close())
    let stopGrace = () => {}
    const grace = new Promise<void>((resolve) => {
      stopGrace = this.#clock.after(END_GRACE_MS, resolve)
    })
    void Promise.race([this.#floor.close(), grace]).then(() => {
      stopGrace()
      void this.#finish(endedReason, known)
    })
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted
  }

  /** The call is over at once. Its record waits until the caller's last words are known. */
  async #finish(endedReason: string, known: Promise<void>): Promise<void> {
    const { logger } = this.#options
    this.#events.ended(endedReason)
    this.#link.close(endedReason)
    const endedAt = new Date(this.#clock.now())
    const seconds = Math.round((endedAt.getTime() - this.#startedAt.getTime()) / 1000)
    logger.info({ endedReason, seconds }, 'session ended')
    const numAssistantInterrupted = this.#caller.interruptions
    const isMeasured = this.#latencies.length > 0 || numAssistantInterrupted > 0
    const forwardedTo = this.#transfer.bridgedTo
    const { activations } = this.#cast
    this.#close()
    await known
    this.#settle({
      endedReason,
      startedAt: this.#startedAt,
      endedAt,
      messages: this.#conversation.record(),
      ...(isMeasured && { performance: { turns: this.#latencies, numAssistantInterrupted } }),
      ...(forwardedTo !== undefined && { forwardedTo }),
      ...((activations.length > 1 || this.#options.node !== undefined) && { activations }),
    })
  }

  /** Takes the way that a workflow's node leaves by, where it leaves once this has happened. */
  #goOnward(once: 'spoken' | 'answered'): boolean {
    const { onward } = this.#cast.now.assistant
    if (onward?.once !== once) return false
    this.#handoff.start(onward.target)
    return true
  }

  #watchQuiet(): void {
    if (this.#isOver) return
    if (this.#transfer.isBridged) {
      this.#quiet.close()
      return
    }
    const { speaking: callerSpeaks } = this.#caller
    const busy = this.#floor.busy || this.#rounds.isRunning
    this.#quiet.update({ callerSpeaks, busy, audible: this.#speech.audible })
  }
}
