import { VoiceActivityDetector } from '../audio/vad.js'
import { type Clock, systemClock } from '../clock.js'
import { abortable } from '../engines/abortable.js'
import { AssistantSpeech } from './assistant-speech.js'
import { ClientEvents } from './client-events.js'
import { type ClientMessage, readClientMessage } from './client-message.js'
import { Conversation } from './conversation.js'
import { Floor } from './floor.js'
import { type HeardTurn, Hearing } from './hearing.js'
import type { Session, SessionMessage, SessionOptions, SessionRecord } from './session.js'
import { SilenceWatch } from './silence-watch.js'
import { TurnDetector } from './turn-detector.js'

/** Frames of speech that begin a turn: 80 ms. */
const START_FRAMES = 4
/** Frames of speech that interrupt the assistant: 200 ms, so that a cough does not. */
const INTERRUPT_FRAMES = 10
/** How long the end of a call waits for what was heard of a sentence that it cuts. */
const END_GRACE_MS = 300

const ROLES: Record<'system' | 'user' | 'assistant', SessionMessage['role']> = {
  system: 'system',
  user: 'user',
  assistant: 'bot',
}

/**
 * Runs one conversation over a link: the caller's speech becomes turns, a turn becomes a line, the model replies, the voice speaks,
 * and the caller may interrupt. Thin here: keypad digits are only logged, and a goodbye ends nothing by itself.
 */
export function startSession(options: SessionOptions, clock: Clock = systemClock): Session {
  const session = new RunningSession(options, clock)
  session.start()
  return session
}

class RunningSession implements Session {
  readonly ended: Promise<SessionRecord>
  readonly #options: SessionOptions
  readonly #clock: Clock
  readonly #startedAt: Date
  readonly #conversation: Conversation
  readonly #events: ClientEvents
  readonly #speech: AssistantSpeech
  readonly #floor: Floor
  readonly #vad = new VoiceActivityDetector()
  readonly #turns: TurnDetector
  readonly #hearing: Hearing
  readonly #silence: SilenceWatch
  readonly #over = new AbortController()
  #settle: (record: SessionRecord) => void = () => {}
  #stopDuration = () => {}
  #isMuted = false
  #isGreeting = false

  constructor(options: SessionOptions, clock: Clock) {
    const { link, engines, assistant, logger } = options
    this.#options = options
    this.#clock = clock
    this.#startedAt = new Date(clock.now())
    this.ended = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#conversation = new Conversation(clock.now(), assistant.systemPrompt)
    this.#events = new ClientEvents(link, clock)
    this.#speech = new AssistantSpeech({
      ...options,
      clock,
      conversation: this.#conversation,
      events: this.#events,
    })
    this.#floor = new Floor({
      changed: () => this.#watchSilence(),
      failed: (error) => logger.error({ err: error }, 'a turn of the assistant failed; the call goes on'),
      full: () => logger.debug('too much waits to be said; what came last is dropped'),
    })
    this.#hearing = new Hearing(engines.transcriber, clock, this.#over.signal)
    this.#turns = new TurnDetector({
      vad: this.#vad,
      clock,
      framesToStart: () => (this.#speech.audible ? INTERRUPT_FRAMES : START_FRAMES),
      started: () => this.#turnStarted(),
      ended: (speech) => this.#turnEnded(speech),
    })
    this.#silence = new SilenceWatch(clock, assistant.silenceTimeoutSeconds * 1000, () =>
      this.end('silence-timed-out'),
    )
  }

  start(): void {
    const { link, assistant, logger } = this.#options
    logger.info('session started')
    this.#stopDuration = this.#clock.after(assistant.maxDurationSeconds * 1000, () =>
      this.end('exceeded-max-duration'),
    )
    link.open({
      audio: (samples) => {
        if (!this.#isOver) this.#turns.audio(samples)
      },
      message: (message) => {
        const known = readClientMessage(message)
        if (!known) logger.debug({ type: message.type }, 'a message of the client is not served')
        else if (!this.#isOver) this.#obey(known)
      },
      digit: () => logger.debug('a key was pressed'),
      closed: () => this.end('customer-ended-call'),
    })
    if (this.#isOver) return
    link.listening()
    this.#events.inProgress()
    this.#greet()
    this.#watchSilence()
  }

  end(endedReason: string): void {
    if (this.#isOver) return
    this.#over.abort(new DOMException('the call is over', 'AbortError'))
    this.#stopDuration()
    this.#silence.close()
    this.#turns.close()
    this.#vad.close()
    let stopGrace = () => {}
    const grace = new Promise<void>((resolve) => {
      stopGrace = this.#clock.after(END_GRACE_MS, resolve)
    })
    void Promise.race([this.#floor.close(), grace]).then(() => {
      stopGrace()
      this.#finish(endedReason)
    })
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted
  }

  #finish(endedReason: string): void {
    const { link, logger } = this.#options
    this.#events.ended(endedReason)
    link.close(endedReason)
    const endedAt = new Date(this.#clock.now())
    const seconds = Math.round((endedAt.getTime() - this.#startedAt.getTime()) / 1000)
    logger.info({ endedReason, seconds }, 'session ended')
    this.#settle({ endedReason, startedAt: this.#startedAt, endedAt, messages: this.#conversation.record() })
  }

  #greet(): void {
    const { firstMessage } = this.#options.assistant
    if (!firstMessage?.trim() || this.#isGreeting) return
    this.#isGreeting = true
    void this.#take((signal) => this.#speech.say(firstMessage, signal)).then(() => {
      this.#isGreeting = false
    })
  }

  #turnStarted(): void {
    this.#events.speech('user', 'started')
    const wasAudible = this.#speech.audible
    if (this.#floor.cut() && wasAudible) this.#events.interrupted()
    this.#watchSilence()
  }

  /** The turn's words are kept even when its answer is cut. */
  #turnEnded(speech: Int16Array): void {
    this.#events.speech('user', 'stopped')
    const turn = this.#hearing.hear(speech).then((heard) => {
      if (heard.kind === 'line' && !this.#isOver) this.#record(heard)
      return heard
    })
    void this.#take(async (signal) => {
      const heard = await abortable(turn, signal)
      if (heard.kind === 'failed') await this.#speech.apologise(heard.failure, signal)
      else if (heard.kind === 'line') await this.#speech.reply(signal)
    })
    this.#watchSilence()
  }

  #record({ line }: Extract<HeardTurn, { kind: 'line' }>): void {
    this.#conversation.add(line)
    this.#events.transcript('user', line.text)
    this.#events.conversation(this.#conversation)
  }

  #obey(message: ClientMessage): void {
    if (message.type === 'hangup') this.end('customer-ended-call')
    else if (message.type === 'end-call') this.end('assistant-ended-call')
    else if (message.type === 'say') this.#say(message)
    else if (message.type === 'add-message') this.#addMessage(message)
    else if (message.control === 'say-first-message') this.#greet()
    else this.#mute(message.control === 'mute-assistant')
  }

  #say(message: Extract<ClientMessage, { type: 'say' }>): void {
    if (message.interruptAssistantEnabled) this.#floor.cut({ all: true })
    void this.#floor.take({
      interruptible: message.interruptionsEnabled,
      run: async (signal) => {
        if (!this.#isMuted) await this.#speech.say(message.text, signal)
        if (message.endCallAfterSpoken) this.end('assistant-ended-call-after-message-spoken')
      },
    })
  }

  #addMessage({ message, triggerResponseEnabled }: Extract<ClientMessage, { type: 'add-message' }>): void {
    this.#conversation.add({ role: ROLES[message.role], text: message.content, time: this.#clock.now() })
    this.#events.conversation(this.#conversation)
    if (triggerResponseEnabled) void this.#take((signal) => this.#speech.reply(signal))
  }

  /** A muted assistant hears and notes, and says nothing. */
  #mute(isMuted: boolean): void {
    this.#isMuted = isMuted
    if (isMuted) this.#floor.cut({ all: true })
  }

  /** Something that the caller may interrupt. */
  #take(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    return this.#floor.take({
      interruptible: true,
      run: async (signal) => (this.#isMuted ? undefined : run(signal)),
    })
  }

  /** It is quiet while the caller does not speak and the assistant neither speaks nor thinks. */
  #watchSilence(): void {
    if (!this.#isOver) this.#silence.update(!this.#turns.speaking && !this.#floor.busy)
  }
}
