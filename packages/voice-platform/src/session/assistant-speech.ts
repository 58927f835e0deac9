import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { dtmfTones } from '../audio/dtmf-tones.js'
import { waitingSign } from '../audio/waiting-sign.js'
import type { ModelMessage, ToolCall } from '../engines/engine.js'
import type { Link } from '../link/link.js'
import { pause, untilAborted } from '../work/abortable.js'
import { boundedReply } from './bounded-reply.js'
import type { Cast, Speaker } from './cast.js'
import type { ClientEvents, SpeechSource } from './client-events.js'
import type { Conversation } from './conversation.js'
import { EngineTroubles } from './engine-troubles.js'
import { ModelBudget } from './model-budget.js'
import { PreparedReply } from './prepared-reply.js'
import { ReplyTimes } from './reply-times.js'
import { retryStreamOnce } from './retry-once.js'
import { chunkSentences } from './sentence-chunker.js'
import type { MeasuredTurn, TurnLatency, TurnPart } from './session.js'
import { STOP_SPEAKING } from './session.js'
import { DEFAULT_MAX_TOKENS } from './session-assistant.js'
import { type SpeakOptions, SpeechPlayer, type Spoken } from './speech-player.js'

/** Said after an engine has failed twice, so that the caller is not left in silence. */
export const APOLOGY = 'I am sorry, something went wrong on my side. Could you please say that again?'

export interface AssistantSpeechOptions {
  link: Link
  cast: Cast
  conversation: Conversation
  events: ClientEvents
  clock: Clock
  logger: Logger
  /** The caller starts or stops hearing the assistant. */
  onSoundChanged?(): void
  /** The caller has heard these words of the assistant. */
  onSaid?(words: string): void
  /** A reply was spoken to its end, and uses these tools. `hasWords`: the caller heard something of it. */
  onToolCalls?(calls: readonly ToolCall[], hasWords: boolean): void
  /** A reply that uses no tools was spoken to its end. */
  onReplied?(): void
  /** The caller begins to hear a reply to a turn. */
  onMeasured?(turn: MeasuredTurn): void
}

/** What a reply answers, and what it is made from. */
export interface ReplyOptions {
  prepared?: PreparedReply | undefined
  /** The caller's turn: when its speech ended (milliseconds since the epoch), and what was measured of it. */
  turn?: { endedAt: number; latency: TurnLatency; parts: readonly TurnPart[] }
  /** The model has to do without tools. */
  withoutTools?: boolean
}

/**
 * Says given words verbatim, or the model's reply to the conversation. The words that the caller heard go into the conversation.
 * An engine that fails gets one more try. After that an apology is spoken. If the apology fails too, the call goes on in silence.
 */
export class AssistantSpeech {
  readonly #options: AssistantSpeechOptions
  readonly #player: SpeechPlayer
  readonly #troubles: EngineTroubles
  /** Who began a reply ahead of time. */
  readonly #preparedBy = new WeakMap<PreparedReply, Speaker>()
  /** The call's, whoever speaks in it. */
  readonly #budget: ModelBudget
  #startedAt = 0
  /** The sentences of the speech that were begun, and where its words come from. */
  #begun = ''
  #source: SpeechSource = 'model'
  #quietUntil = 0
  #measure = () => {}

  constructor(options: AssistantSpeechOptions) {
    this.#options = options
    this.#troubles = new EngineTroubles(options.logger)
    const { maxDurationSeconds, materialCharacters } = options.cast.now.assistant
    const { promptWeight } = options.conversation
    const first = { promptWeight, materialCharacters, maxDurationSeconds }
    this.#budget = new ModelBudget(options.clock, first)
    this.#player = new SpeechPlayer(
      options.link,
      options.cast.now.engines.voice,
      {
        beforeSound: (signal) => this.#quietOver(signal),
        onStarted: () => {
          this.#startedAt = options.clock.now()
          options.events.speech('assistant', 'started')
          this.#measure()
          options.onSoundChanged?.()
        },
        onSentence: (sentence) => {
          this.#begun = this.#begun === '' ? sentence : `${this.#begun} ${sentence}`
          options.events.speechStarted(this.#begun, this.#source)
        },
        onStopped: () => {
          options.events.speech('assistant', 'stopped')
          options.onSoundChanged?.()
        },
      },
      options.clock,
    )
  }

  /** The caller hears the assistant right now. */
  get audible(): boolean {
    return this.#player.audible
  }

  /** Speaks these words as they stand. Resolves with whether they were heard to their end. */
  async say(text: string, signal: AbortSignal): Promise<boolean> {
    this.#source = 'force-say'
    const { outcome } = await this.#speakOrApologise(chunkSentences([text]), signal)
    return outcome === 'finished'
  }

  /** Presses keys: as the line has them, or by their tones. */
  async press(keys: string): Promise<void> {
    const { link } = this.#options
    if (link.press) link.press(keys)
    else link.send(dtmfTones(keys))
    await link.mark()
  }

  /** A soft sound, for somebody who waits. */
  sign(): void {
    this.#options.link.send(waitingSign())
  }

  /** After an interruption: says nothing for the plan's `backoffSeconds`. */
  backOff(): void {
    const { clock, cast } = this.#options
    const { backoffSeconds } = { ...STOP_SPEAKING, ...cast.now.assistant.stopSpeaking }
    this.#quietUntil = clock.now() + backoffSeconds * 1000
  }

  /**
   * Begins a reply ahead of time, as if the caller had said these words. Whoever gets it takes or discards it. Undefined where too much
   * was begun already.
   */
  prepare(words: string): PreparedReply | undefined {
    const { conversation, cast, clock } = this.#options
    const messages = conversation.forModel(words)
    if (!this.#budget.allowsGuess(messages)) return undefined
    const calls: ToolCall[] = []
    const reply = new PreparedReply({
      ...{ messages, calls },
      open: (signal) => this.#modelStream(messages, signal, calls),
      voice: cast.now.engines.voice,
      times: new ReplyTimes(clock),
    })
    this.#preparedBy.set(reply, cast.now)
    return reply
  }

  /** Another assistant has taken over. */
  handedOver(): void {
    const { cast, conversation } = this.#options
    const { materialCharacters } = cast.now.assistant
    this.#budget.follow({ promptWeight: conversation.promptWeight, materialCharacters })
  }

  /** Lets the model reply to the conversation. A prepared reply is used if it replies to exactly this conversation. */
  async reply(
    signal: AbortSignal,
    { prepared, turn, withoutTools = false }: ReplyOptions = {},
  ): Promise<void> {
    const { conversation, cast, events, clock } = this.#options
    const messages = conversation.forModel()
    const isOwn = prepared && this.#preparedBy.get(prepared) === cast.now
    const ahead = isOwn && prepared.repliesTo(messages) ? prepared : undefined
    const times = ahead?.times ?? new ReplyTimes(clock)
    this.#source = 'model'
    if (turn) this.#measureOnce(turn, times)
    if (ahead) ahead.take(signal, (piece) => events.modelOutput(piece))
    else prepared?.discard()
    const calls: ToolCall[] = []
    const texts =
      ahead?.sentences ?? chunkSentences(this.#modelOutput(messages, times, signal, calls, withoutTools))
    const { outcome, heard } = await this.#speakOrApologise(texts, signal, {
      voice: times.voice(cast.now.engines.voice),
      ...(ahead && { ahead }),
    })
    this.#measure = () => {}
    const used = ahead?.calls ?? calls
    if (outcome !== 'finished') return
    if (used.length > 0) this.#options.onToolCalls?.(used, heard !== '')
    else this.#options.onReplied?.()
  }

  /** An engine other than the model or the voice has failed. */
  async apologise(failure: unknown, signal: AbortSignal): Promise<void> {
    this.#troubles.report(failure)
    this.#source = 'force-say'
    const spoken = await this.#speak(chunkSentences([APOLOGY]), signal)
    if (spoken.outcome === 'failed') this.#troubles.report(spoken.failure)
  }

  async #speakOrApologise(
    texts: AsyncIterable<string>,
    signal: AbortSignal,
    options?: SpeakOptions,
  ): Promise<Spoken> {
    const spoken = await this.#speak(texts, signal, options)
    if (spoken.outcome === 'failed') await this.apologise(spoken.failure, signal)
    return spoken
  }

  async #speak(texts: AsyncIterable<string>, signal: AbortSignal, options?: SpeakOptions): Promise<Spoken> {
    const { conversation, events, clock, cast } = this.#options
    this.#begun = ''
    const spoken = await this.#player.speak(texts, signal, { voice: cast.now.engines.voice, ...options })
    if (spoken.heard !== '') {
      conversation.add({ role: 'bot', text: spoken.heard, time: this.#startedAt, endTime: clock.now() })
      events.transcript('assistant', spoken.heard)
      events.conversation(conversation)
      this.#options.onSaid?.(spoken.heard)
    }
    return spoken
  }

  /** Measures at the first sound of the reply, or of the apology for it. */
  #measureOnce({ endedAt, latency, parts }: NonNullable<ReplyOptions['turn']>, times: ReplyTimes): void {
    const { clock, onMeasured } = this.#options
    this.#measure = () => {
      this.#measure = () => {}
      onMeasured?.({
        latency: { ...latency, ...times.latency, turnLatency: clock.now() - endedAt },
        parts: [...parts, ...times.partsAfter(endedAt)],
      })
    }
  }

  async #quietOver(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const waitMs = this.#quietUntil - clock.now()
    if (waitMs > 0) await pause(clock, waitMs, signal)
  }

  async *#modelOutput(
    messages: readonly ModelMessage[],
    times: ReplyTimes,
    signal: AbortSignal,
    calls: ToolCall[],
    withoutTools: boolean,
  ): AsyncGenerator<string> {
    await this.#budget.pay(messages, signal)
    for await (const piece of times.model(this.#modelStream(messages, signal, calls, withoutTools))) {
      this.#options.events.modelOutput(piece)
      yield piece
    }
  }

  /** The tools that the reply uses come into `calls`. */
  #modelStream(
    messages: readonly ModelMessage[],
    signal: AbortSignal,
    calls: ToolCall[],
    withoutTools = false,
  ): AsyncIterable<string> {
    const { engines, assistant, modelTools } = this.#options.cast.now
    const { maxTokens = DEFAULT_MAX_TOKENS } = assistant
    const reply = () => {
      calls.length = 0
      const pieces = engines.model.reply(messages, {
        signal,
        maxTokens,
        ...(assistant.model !== undefined && { model: assistant.model }),
        ...(assistant.temperature !== undefined && { temperature: assistant.temperature }),
        ...(modelTools.length > 0 &&
          !withoutTools && {
            tools: modelTools,
            onToolCall: (call: ToolCall) => calls.push(call),
          }),
      })
      return untilAborted(boundedReply(pieces, maxTokens), signal)
    }
    const mayBeEmpty = () => calls.length > 0
    return retryStreamOnce(reply, { engine: engines.model.name, signal, mayBeEmpty })
  }
}
