import { type Clock, steadyClock, systemClock } from '@heyline/kit/clock'
import type { ToolCall, Voice } from '../engines/engine.js'
import type { Link } from '../link/link.js'
import { Answers } from './answers.js'
import { AssistantPart } from './assistant-part.js'
import { AssistantSpeech } from './assistant-speech.js'
import type { TransferDestination, UnansweredTransfer } from './bridge-call.js'
import { CallLink } from './call-link.js'
import { type CallerTurn, CallerTurns } from './caller-turns.js'
import { ClientEvents } from './client-events.js'
import { type ClientMessage, readClientMessage } from './client-message.js'
import { Conversation, type Line } from './conversation.js'
import { endPhrases } from './end-phrases.js'
import { Floor } from './floor.js'
import type { HeardTurn } from './hearing.js'
import { Keypad, keypadLine } from './keypad.js'
import { pacedVoice } from './paced-voice.js'
import { QuietWatch } from './quiet-watch.js'
import type { Session, SessionMessage, SessionOptions, SessionRecord, TurnLatency } from './session.js'
import { toolUse } from './session-tool.js'
import { ToolRounds } from './tool-rounds.js'
import { Transfer } from './transfer.js'
import { WordsBudget } from './words-budget.js'

const UNINTERRUPTIBLE = { interruptible: false }

/** How long the end of a call waits to learn what was heard of the cut sentence, in milliseconds. */
const END_GRACE_MS = 300

/**
 * Runs one conversation over a link. The caller's speech becomes turns, and a turn becomes a line. The model replies and the voice
 * speaks; the caller may interrupt. Keys become lines too. A goodbye of the assistant may end the call.
 */
export function startSession(options: SessionOptions, clock: Clock = systemClock): Session {
  const session = new RunningSession(options, steadyClock(clock))
  session.start()
  return session
}

class RunningSession implements Session {
  readonly ended: Promise<SessionRecord>
  readonly #options: SessionOptions
  readonly #link: CallLink
  readonly #clock: Clock
  readonly #startedAt: Date
  readonly #conversation: Conversation
  readonly #events: ClientEvents
  readonly #speech: AssistantSpeech
  readonly #floor: Floor
  readonly #part: AssistantPart
  readonly #transfer: Transfer
  readonly #answers: Answers
  readonly #rounds: ToolRounds
  readonly #turns: CallerTurns
  readonly #quiet: QuietWatch
  readonly #keypad: Keypad | undefined
  readonly #isGoodbye: (said: string) => boolean
  readonly #words: WordsBudget
  readonly #over = new AbortController()
  readonly #latencies: TurnLatency[] = []
  #interruptions = 0
  #settle: (record: SessionRecord) => void = () => {}
  #stopDuration = () => {}
  #isCustomerMuted = false
  /** Before the call was handed over. */
  #wasMuted = false

  constructor(options: SessionOptions, clock: Clock) {
    const { assistant, logger } = options
    const link = new CallLink(options.link)
    const engines = { ...options.engines, voice: pacedVoice(this.#speaker(options), clock) }
    this.#options = options
    this.#link = link
    this.#clock = clock
    this.#startedAt = new Date(clock.now())
    this.#words = new WordsBudget(clock)
    this.ended = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#conversation = new Conversation(clock.now(), assistant.systemPrompt)
    this.#events = new ClientEvents(link, clock, assistant.clientMessages, options.onTranscribed)
    this.#isGoodbye = endPhrases(assistant.endCallPhrases ?? [])
    this.#speech = new AssistantSpeech({
      ...options,
      link,
      engines,
      clock,
      conversation: this.#conversation,
      events: this.#events,
      onSoundChanged: () => {
        this.#answers.soundChanged()
        this.#rounds.stir()
        this.#watchQuiet()
      },
      onMeasured: (turn) => {
        this.#latencies.push(turn.latency)
        options.onMeasured?.(turn)
      },
      onToolCalls: (calls, hasWords) => this.#useTools(calls, hasWords),
      onSaid: (words) => {
        if (!this.#part.isLeaving && this.#isGoodbye(words)) this.end('assistant-said-end-call-phrase')
      },
    })
    this.#floor = new Floor({
      onChanged: () => {
        this.#rounds.stir()
        this.#watchQuiet()
      },
      onFailed: (error) =>
        logger.error({ err: error }, 'the assistant could not speak in its turn; the call goes on'),
      onFull: () => logger.debug('too many contributions wait; the last one is dropped'),
    })
    this.#part = new AssistantPart({
      assistant,
      floor: this.#floor,
      speech: this.#speech,
      end: (endedReason) => this.end(endedReason),
    })
    this.#transfer = new Transfer({
      bridge: options.bridge,
      floor: this.#floor,
      speech: this.#speech,
      conversation: this.#conversation,
      clock,
      endsAt: clock.now() + assistant.maxDurationSeconds * 1000,
      say: (text) =>
        void this.#part.take(async (signal) => {
          await this.#speech.say(text, signal)
        }),
      onBegun: ({ number }) => this.#events.transfer(number),
      onBridged: () => this.#bridged(),
      onGone: () => this.end('customer-ended-call'),
      onBack: () => this.#back(),
    })
    this.#rounds = new ToolRounds({
      tools: options.tools ?? [],
      mostToolCalls: options.mostToolCalls,
      part: this.#part,
      speech: this.#speech,
      conversation: this.#conversation,
      events: this.#events,
      ...{ clock, logger },
      signal: this.#over.signal,
      callerSpeaks: () => this.#turns.speaking,
      isFloorBusy: () => this.#floor.busy,
      onChanged: () => this.#watchQuiet(),
    })
    this.#answers = new Answers({ part: this.#part, speech: this.#speech, clock })
    this.#turns = new CallerTurns({
      transcriber: engines.transcriber,
      assistant,
      clock,
      signal: this.#over.signal,
      audible: () => this.#speech.audible,
      lastSaid: () => this.#conversation.lastSaid,
      prepare: (words) => (this.#part.isMuted || this.#floor.busy ? undefined : this.#speech.prepare(words)),
      onStarted: () => this.#turnStarted(),
      onHeardSoFar: (words) => this.#events.transcript('user', words, 'partial'),
      onInterrupt: () => this.#interrupt(),
      onEnded: (turn) => this.#turnEnded(turn),
    })
    this.#quiet = new QuietWatch(clock, assistant.silenceTimeoutSeconds * 1000, {
      onSilent: () => this.end('silence-timed-out'),
      onHang: () => this.#events.hang(),
    })
    if (assistant.keypadInput)
      this.#keypad = new Keypad(assistant.keypadInput, clock, (keys) => this.#typed(keys))
  }

  start(): void {
    const { engines, assistant, logger, opening } = this.#options
    const link = this.#link
    logger.info('session started')
    this.#stopDuration = this.#clock.after(assistant.maxDurationSeconds * 1000, () =>
      this.end('exceeded-max-duration'),
    )
    link.open({
      onAudio: (samples) => {
        if (!this.#isOver && !this.#isCustomerMuted) this.#turns.audio(samples)
      },
      onMessage: (message) => {
        const known = readClientMessage(message)
        if (!known) logger.debug({ type: message.type }, 'a message of the client is not served')
        else if (this.#words.allows(known)) this.obey(known)
        else
          logger.debug(
            { type: message.type },
            'the client has too much said by messages; this one is dropped',
          )
      },
      onDigit: (key) => this.#pressed(key),
      onClosed: () => {
        if (!this.#transfer.linkClosed()) this.end('customer-ended-call')
      },
    })
    if (this.#isOver) return
    if (assistant.backgroundSound === 'office') link.office()
    link.listening()
    this.#events.inProgress()
    this.#events.assistantStarted(assistant, engines.voice.name)
    if (this.#options.by === 'machine') this.#part.leaveMessage()
    else {
      if (opening) this.#part.open(opening)
      this.#part.greet()
    }
    this.#watchQuiet()
  }

  messages(): SessionMessage[] {
    return this.#conversation.record()
  }

  obey(message: ClientMessage): void {
    if (this.#isOver) return
    if (message.type === 'hangup') this.end('customer-ended-call')
    else if (this.#part.isLeaving || this.#transfer.isBridged) return
    else if (message.type === 'end-call') this.#part.leave()
    else if (message.type === 'say') this.#part.say(message)
    else if (message.type === 'add-message') this.#addMessage(message)
    else this.#control(message.control)
  }

  transfer(destination: TransferDestination): void {
    if (!this.#isOver && !this.#part.isLeaving) this.#transfer.start(destination)
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
    this.#keypad?.close()
    this.#turns.close()
    let stopGrace = () => {}
    const grace = new Promise<void>((resolve) => {
      stopGrace = this.#clock.after(END_GRACE_MS, resolve)
    })
    void Promise.race([this.#floor.close(), grace]).then(() => {
      stopGrace()
      this.#finish(endedReason)
    })
  }

  /** The assistant's own speaker, where the voice engine has several. */
  #speaker({ engines: { voice }, assistant: { voiceId }, logger }: SessionOptions): Voice {
    if (voiceId === undefined || !voice.withSpeaker) return voice
    return voice.withSpeaker(voiceId, () => {
      logger.warn(
        { voiceId },
        'the voice engine refuses the voice of the assistant; its default voice speaks',
      )
      this.#conversation.note(
        `The voice engine refused the voice ${voiceId}. Its default voice spoke.`,
        this.#clock.now(),
      )
    })
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted
  }

  #finish(endedReason: string): void {
    const { logger } = this.#options
    this.#events.ended(endedReason)
    this.#link.close(endedReason)
    const endedAt = new Date(this.#clock.now())
    const seconds = Math.round((endedAt.getTime() - this.#startedAt.getTime()) / 1000)
    logger.info({ endedReason, seconds }, 'session ended')
    const isMeasured = this.#latencies.length > 0 || this.#interruptions > 0
    const forwardedTo = this.#transfer.bridgedTo
    const performance = { turns: this.#latencies, numAssistantInterrupted: this.#interruptions }
    this.#settle({
      endedReason,
      startedAt: this.#startedAt,
      endedAt,
      messages: this.#conversation.record(),
      ...(isMeasured && { performance }),
      ...(forwardedTo !== undefined && { forwardedTo }),
    })
  }

  #useTools(calls: readonly ToolCall[], hasWords: boolean): void {
    const own = new Set(this.#options.assistant.tools?.map(({ name }) => name))
    const others = calls.filter(({ name }) => !own.has(name) && this.#rounds.has(name))
    this.#rounds.use(others, hasWords)
    for (const call of calls) {
      if (this.#isOver) return
      if (others.includes(call)) continue
      const use = toolUse(this.#options.assistant.tools ?? [], call)
      const time = this.#clock.now()
      if (use.type === 'transfer') this.transfer(use.destination)
      else if (use.type === 'endCall') this.#leave(use.message)
      else if (use.type === 'refused') this.#conversation.add({ role: 'system', text: use.why, time })
      else
        void this.#part.take(() => {
          this.#conversation.note(`The assistant pressed ${use.keys}.`, this.#clock.now())
          return this.#speech.press(use.keys)
        }, UNINTERRUPTIBLE)
    }
  }

  /** The model ends the call. */
  #leave(message: string | undefined): void {
    if (message?.trim()) this.#part.leaveWith(message, 'assistant-ended-call')
    else this.#part.leave()
  }

  /** The call goes on without us, until the carrier tells that it is over, or its time is up. */
  #bridged(): void {
    this.#wasMuted = this.#part.isMuted
    this.#part.mute(true)
    this.#watchQuiet()
  }

  #back(): void {
    this.#events.conversation(this.#conversation)
    this.#part.mute(this.#wasMuted)
    this.#watchQuiet()
  }

  #turnStarted(): void {
    this.#events.speech('user', 'started')
    this.#answers.begin()
    this.#rounds.stir()
    this.#watchQuiet()
  }

  #interrupt(): void {
    this.#answers.interrupt()
    const wasAudible = this.#speech.audible
    if (this.#floor.cut() && wasAudible) {
      this.#speech.backOff()
      this.#interruptions += 1
      this.#events.interrupted()
    }
    this.#watchQuiet()
  }

  /** Keeps the words of a turn even if its answer is cut. */
  #turnEnded(over: CallerTurn): void {
    this.#events.speech('user', 'stopped')
    const turn = over.heard.then((heard) => {
      if (heard.kind === 'line' && !this.#isOver) this.#record(heard)
      if (heard.kind === 'nothing' && !this.#isOver) this.#rounds.callerSaidNothing()
      return heard
    })
    const turnOrLeftOver = this.#answers.withLeftOver(turn)
    if (turnOrLeftOver) this.#answers.give(turnOrLeftOver, over)
    else if (over.isHeldBack) void turn.then((heard) => this.#answerHeldBack(heard, over.endedAt))
    else this.#answers.give(turn, over)
    this.#watchQuiet()
  }

  /** The caller spoke while the assistant spoke. Too few words only show that the caller is listening, so the assistant goes on. */
  #answerHeldBack(heard: HeardTurn, endedAt: number): void {
    if (this.#isOver) return
    const interrupts = this.#turns.interrupts(heard)
    if (interrupts) this.#interrupt()
    if (interrupts || !this.#speech.audible) this.#answers.give(Promise.resolve(heard), { endedAt })
  }

  #record({ line }: Extract<HeardTurn, { kind: 'line' }>): void {
    this.#conversation.add(line)
    this.#rounds.callerSaid()
    this.#events.transcript('user', line.text)
    this.#events.conversation(this.#conversation)
  }

  #pressed(key: string): void {
    if (this.#isOver || this.#isCustomerMuted || !this.#keypad) return
    this.#keypad.press(key)
    this.#quiet.stir()
    this.#watchQuiet()
  }

  /** Keys take the turn, as speech does. One answer covers the keys and what the caller says around them. */
  #typed(keys: string): void {
    const time = this.#clock.now()
    const wasAudible = this.#speech.audible
    if (this.#floor.cut() && wasAudible) this.#events.interrupted()
    this.#answers.forget()
    const line: Line = { role: 'user', text: keypadLine(keys), time, endTime: time }
    this.#record({ kind: 'line', line })
    const typed = this.#turns.settled.then((): HeardTurn => ({ kind: 'line', line }))
    if (this.#turns.speaking) this.#answers.postpone(typed)
    else this.#answers.give(typed, { endedAt: time })
  }

  #control(control: Extract<ClientMessage, { type: 'control' }>['control']): void {
    if (control === 'say-first-message') this.#part.greet()
    else if (control === 'mute-customer') this.#isCustomerMuted = true
    else if (control === 'unmute-customer') this.#isCustomerMuted = false
    else this.#part.mute(control === 'mute-assistant')
  }

  #addMessage({ message, triggerResponseEnabled }: Extract<ClientMessage, { type: 'add-message' }>): void {
    const role = message.role === 'assistant' ? 'bot' : message.role
    this.#conversation.add({ role, text: message.content, time: this.#clock.now() })
    this.#events.conversation(this.#conversation)
    if (triggerResponseEnabled) void this.#part.take((signal) => this.#speech.reply(signal))
  }

  #watchQuiet(): void {
    if (this.#isOver) return
    if (this.#transfer.isBridged) {
      this.#quiet.close()
      return
    }
    const { speaking: callerSpeaks } = this.#turns
    const busy = this.#floor.busy || this.#rounds.isRunning
    this.#quiet.update({ callerSpeaks, busy, audible: this.#speech.audible })
  }
}
