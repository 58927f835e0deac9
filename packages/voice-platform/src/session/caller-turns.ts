import type { Clock } from '@heyline/kit/clock'
import { FRAME_MS, SAMPLE_RATE } from '@heyline/room-protocol'
import { VoiceActivityDetector } from '../audio/vad.js'
import type { Transcriber } from '../engines/engine.js'
import { Budget } from '../work/budget.js'
import { Endpointing } from './endpointing.js'
import { type HeardTurn, Hearing, type Listening, lineTextOf, type Outcome } from './hearing.js'
import { InterruptingWords } from './interrupting-words.js'
import type { PreparedReply } from './prepared-reply.js'
import type { SessionAssistant } from './session.js'
import { STOP_SPEAKING } from './session.js'
import { StreamedTranscriber } from './streamed-transcriber.js'
import { type Turn, TurnDetector } from './turn-detector.js'

/** Frames of speech that begin a turn: 80 ms. */
const START_FRAMES = 4

/**
 * At how many pauses the engines are asked ahead of time: on average per second, and at once. People pause less often. Beyond that the engines
 * are asked only when a turn ends, so that nobody can keep them busy by clicking their tongue.
 */
const GUESSES = { perSecond: 1, atOnce: 10 }
/**
 * How much audio the transcriber is given at these pauses, in seconds. It gets all of a turn at each pause, and a turn may last a minute.
 * Whoever speaks all the time in turns of eight seconds, with a pause every two, needs less.
 */
const GUESSED_AUDIO = { perSecond: 3, atOnce: 120 }

/** A turn that is over. */
export interface CallerTurn {
  /** Never rejects. */
  heard: Promise<HeardTurn>
  /** When the caller stopped speaking, in milliseconds since the epoch. The turn ended some silence later. */
  endedAt: number
  /** The reply that was begun for these words. Whoever gets it takes or discards it. */
  prepared: PreparedReply | undefined
  /** The turn began while the assistant spoke, and had too few words to interrupt it. */
  isHeldBack: boolean
}

export interface CallerTurnsOptions {
  transcriber: Transcriber
  assistant: Pick<SessionAssistant, 'startSpeaking' | 'stopSpeaking'>
  clock: Clock
  /** Ends the transcriber's work. */
  signal: AbortSignal
  /** The caller hears the assistant right now. */
  audible(): boolean
  /** What the assistant said last, as it was heard. */
  lastSaid(): string
  /** Begins a reply to these words; undefined where none is wanted. */
  prepare(words: string): PreparedReply | undefined
  onStarted(): void
  /** The words of a turn up to a pause. The caller may go on. */
  onHeardSoFar(words: string): void
  /** The caller interrupts: when the turn begins, or once it has enough words. */
  onInterrupt(): void
  onEnded(turn: CallerTurn): void
}

/** The work begun at a pause, in case the caller has finished. */
interface Guess {
  listening: Listening
  outcome?: Outcome
  /** Silence that ends the turn, while its words are not known and once they are. */
  longestMs?: number
  afterMs?: number
  prepared?: PreparedReply | undefined
  /** What it was prepared for. */
  preparedFor?: string
}

/**
 * The caller's turns, from audio to words. At the first pause the transcriber is asked, and then a reply is begun. Both are ready, or
 * nearly ready, when the pause has lasted long enough. If the caller goes on, both are dropped and nobody hears of them.
 */
export class CallerTurns {
  readonly #options: CallerTurnsOptions
  readonly #vad = new VoiceActivityDetector()
  readonly #hearing: Hearing
  #endpointing: Endpointing
  readonly #turns: TurnDetector
  /** Set by the assistant's plans. */
  #numWords = 0
  #interruptions: InterruptingWords
  #interruptFrames = 1
  readonly #punctuates: boolean | undefined
  readonly #guesses: Budget
  readonly #guessedAudio: Budget
  readonly #streamed: StreamedTranscriber | undefined
  #guess: Guess | undefined
  #isHeldBack = false
  /** The transcriber takes the turn for finished, since the caller's last sound. */
  #isToldOver = false

  constructor(options: CallerTurnsOptions) {
    const { assistant, clock, signal } = options
    if (options.transcriber.open) this.#streamed = this.#streamedOf(options)
    const transcriber = this.#streamed ?? options.transcriber
    this.#options = options
    this.#guesses = new Budget(clock, GUESSES)
    this.#guessedAudio = new Budget(clock, GUESSED_AUDIO)
    this.#punctuates = transcriber.punctuates
    this.#interruptions = new InterruptingWords(0)
    this.#hearing = new Hearing(transcriber, clock, signal)
    this.#endpointing = new Endpointing(assistant.startSpeaking, transcriber.punctuates)
    this.follow(assistant)
    this.#turns = new TurnDetector({
      vad: this.#vad,
      clock,
      framesToStart: () => (this.#numWords === 0 && options.audible() ? this.#interruptFrames : START_FRAMES),
      endsAfterMs: () => this.#endsAfterMs(),
      onStarted: () => this.#started(),
      ...(this.#streamed && { onTurnAudio: (samples) => this.#streamed?.write(samples) }),
      onPaused: (turn) => void this.#guessAt(turn),
      onResumed: () => this.#drop(),
      onEnded: (turn) => this.#ended(turn),
    })
  }

  /** This assistant listens from now on, by its own plans. A turn goes on under them. */
  follow({ startSpeaking, stopSpeaking }: CallerTurnsOptions['assistant']): void {
    const { numWords, voiceSeconds } = { ...STOP_SPEAKING, ...stopSpeaking }
    this.#numWords = numWords
    this.#interruptions = new InterruptingWords(numWords, stopSpeaking)
    this.#interruptFrames = Math.max(1, Math.round((voiceSeconds * 1000) / FRAME_MS))
    this.#endpointing = new Endpointing(startSpeaking, this.#punctuates)
  }

  /** True while the caller has the turn. */
  get speaking(): boolean {
    return this.#turns.speaking
  }

  /** Resolves when the words of all finished turns are known. Never rejects. */
  get settled(): Promise<unknown> {
    return this.#hearing.settled
  }

  /** The caller's audio: any number of samples. */
  audio(samples: Int16Array): void {
    this.#turns.audio(samples)
  }

  /** Whether this turn had enough words to interrupt the assistant. Words that are not known count as enough. */
  interrupts(heard: HeardTurn): boolean {
    return heard.kind === 'line' && (heard.isUnheard === true || this.#interruptions.are(heard.line.text))
  }

  /** Nobody speaks any more: a turn that is open ends as it is. No other callback follows. */
  close(): void {
    this.#turns.close()
    this.#streamed?.close()
    this.#vad.close()
  }

  #started(): void {
    this.#isHeldBack = this.#numWords > 0 && this.#options.audible()
    this.#options.onStarted()
    if (!this.#isHeldBack) this.#options.onInterrupt()
  }

  async #guessAt(turn: Turn): Promise<void> {
    if (!this.#guesses.spend() || !this.#guessedAudio.spend(turn.speech.length / SAMPLE_RATE)) return
    const guess: Guess = { listening: this.#hearing.listen(turn) }
    this.#guess = guess
    this.#prepareForPartial(guess)
    guess.outcome = await guess.listening.outcome
    if (this.#guess !== guess) return
    if ('failure' in guess.outcome) return this.#turns.check()
    const words = lineTextOf(guess.outcome)
    if (guess.outcome.text !== null && words !== '') this.#options.onHeardSoFar(words)
    if (this.#isHeldBack && (guess.outcome.text === null || this.#interruptions.are(words))) {
      this.#isHeldBack = false
      this.#options.onInterrupt()
    }
    if (this.#isHeldBack || words === '') return this.#turns.check()
    // The reply must know the turns before this one. Their words may come later.
    void this.#hearing.settled.then(() => {
      if (this.#guess === guess) this.#prepare(guess, words)
    })
    this.#turns.check()
  }

  /** A transcriber that listens says what it heard so far, so that a reply to it can be begun before the last word is sure. */
  #prepareForPartial(guess: Guess): void {
    const words = this.#streamed?.words ?? ''
    if (words === '' || this.#isHeldBack) return
    void this.#hearing.settled.then(() => {
      if (this.#guess === guess && !guess.outcome) this.#prepare(guess, words)
    })
  }

  #prepare(guess: Guess, words: string): void {
    if (guess.prepared && guess.preparedFor === words) return
    guess.prepared?.discard()
    guess.preparedFor = words
    guess.prepared = this.#options.prepare(words)
  }

  #streamedOf({ transcriber, clock, onHeardSoFar }: CallerTurnsOptions): StreamedTranscriber {
    return new StreamedTranscriber(transcriber, clock, {
      onPartial: (words) => {
        if (this.#turns.speaking && words !== '') onHeardSoFar(words)
      },
      onPause: () => void this.#turns.pauseTold(),
      onEndOfTurn: () => {
        this.#isToldOver = this.#turns.pauseTold()
        this.#turns.check()
      },
    })
  }

  /** Asked at every silent frame, so each pause's answer is kept with its words. */
  #endsAfterMs(): number {
    const guess = this.#guess
    if (!guess) return this.#endpointing.unaskedMs
    if (!guess.outcome) {
      guess.longestMs ??= this.#endpointing.longestMs(this.#options.lastSaid())
      return guess.longestMs
    }
    const { outcome } = guess
    guess.afterMs ??= this.#endpointing.afterMs(
      'failure' in outcome ? null : outcome.text,
      this.#options.lastSaid(),
    )
    return this.#isToldOver ? Math.min(guess.afterMs, this.#endpointing.toldMs) : guess.afterMs
  }

  #drop(): void {
    this.#isToldOver = false
    this.#guess?.listening.abandon()
    this.#guess?.prepared?.discard()
    this.#guess = undefined
  }

  #ended(turn: Turn): void {
    const guess = this.#guess
    this.#guess = undefined
    const heard = this.#hearing.hear(turn, guess?.listening)
    this.#streamed?.turnEnded()
    this.#isToldOver = false
    this.#options.onEnded({
      heard,
      endedAt: turn.endedAt,
      prepared: guess?.prepared,
      isHeldBack: this.#isHeldBack,
    })
  }
}
