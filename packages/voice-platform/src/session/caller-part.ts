import type { Clock } from '@heyline/kit/clock'
import type { Transcriber } from '../engines/engine.js'
import type { Budget } from '../work/budget.js'
import { Answers } from './answers.js'
import type { AssistantPart } from './assistant-part.js'
import type { AssistantSpeech } from './assistant-speech.js'
import { type CallerTurn, CallerTurns } from './caller-turns.js'
import type { Cast } from './cast.js'
import type { ClientEvents } from './client-events.js'
import type { Conversation, Line } from './conversation.js'
import type { Floor } from './floor.js'
import type { HeardTurn } from './hearing.js'
import { entryBudget, Keypad, keypadLine } from './keypad.js'
import type { ToolRounds } from './tool-rounds.js'

export interface CallerPartOptions {
  transcriber: Transcriber
  cast: Cast
  floor: Floor
  part: AssistantPart
  speech: AssistantSpeech
  rounds: ToolRounds
  conversation: Conversation
  events: ClientEvents
  clock: Clock
  /** Aborts when the call is over. */
  signal: AbortSignal
  /** Aborts when nobody waits for the caller's words any more: some time after the call. */
  wordsSignal: AbortSignal
  /** Something else than a reply follows the caller's words: true where that was begun. */
  instead(): boolean
  /** Somebody has begun or ended to speak. */
  onChanged(): void
  /** A key was pressed. */
  onKey(): void
}

/** What the caller says and types in a call, and the answers to it. */
export class CallerPart {
  readonly #options: CallerPartOptions
  readonly #answers: Answers
  readonly #turns: CallerTurns
  readonly #entries: Budget
  #keypad: Keypad | undefined
  #interruptions = 0
  isMuted = false

  constructor(options: CallerPartOptions) {
    const { transcriber, cast, floor, part, speech, conversation, events, clock, instead } = options
    this.#options = options
    this.#answers = new Answers({ part, speech, clock, instead })
    this.#turns = new CallerTurns({
      ...{ transcriber, clock, signal: options.wordsSignal, assistant: cast.now.assistant },
      audible: () => speech.audible,
      lastSaid: () => conversation.lastSaid,
      prepare: (words) => (part.isMuted || floor.busy ? undefined : speech.prepare(words)),
      onStarted: () => this.#turnStarted(),
      onHeardSoFar: (words) => events.transcript('user', words, 'partial'),
      onInterrupt: () => this.#interrupt(),
      onEnded: (turn) => this.#turnEnded(turn),
    })
    this.#entries = entryBudget(clock)
    this.#keypad = this.#newKeypad()
  }

  get speaking(): boolean {
    return this.#turns.speaking
  }

  /** How often the caller interrupted the assistant. */
  get interruptions(): number {
    return this.#interruptions
  }

  audio(samples: Int16Array): void {
    if (!this.#isOver && !this.isMuted) this.#turns.audio(samples)
  }

  press(key: string): void {
    if (this.#isOver || this.isMuted || !this.#keypad) return
    this.#keypad.press(key)
    this.#options.onKey()
  }

  /** The sound of the assistant has begun or ended. */
  soundChanged(): void {
    this.#answers.soundChanged()
  }

  /** Another assistant listens from now on. Keys that were not taken yet are dropped. */
  handedOver(): void {
    this.#turns.follow(this.#options.cast.now.assistant)
    this.#keypad?.close()
    this.#keypad = this.#newKeypad()
  }

  /** The call is over. What the caller is saying is the last turn: it is heard, and not answered. Resolves when all words are known. */
  async close(): Promise<void> {
    this.#keypad?.close()
    this.#turns.close()
    await this.#turns.settled
  }

  get #isOver(): boolean {
    return this.#options.signal.aborted
  }

  #newKeypad(): Keypad | undefined {
    const { cast, clock } = this.#options
    const { keypadInput: plan } = cast.now.assistant
    return plan && new Keypad({ plan, clock, budget: this.#entries, onEntry: (keys) => this.#typed(keys) })
  }

  #turnStarted(): void {
    this.#options.events.speech('user', 'started')
    this.#answers.begin()
    this.#options.rounds.stir()
    this.#options.onChanged()
  }

  #interrupt(): void {
    const { speech, floor, events } = this.#options
    this.#answers.interrupt()
    const wasAudible = speech.audible
    if (floor.cut() && wasAudible) {
      speech.backOff()
      this.#interruptions += 1
      events.interrupted()
    }
    this.#options.onChanged()
  }

  /** Keeps the words of a turn even if its answer is cut, or the call is over. */
  #turnEnded(over: CallerTurn): void {
    this.#options.events.speech('user', 'stopped')
    const turn = over.heard.then((heard) => {
      if (heard.kind === 'line') this.#record(heard.line)
      if (heard.kind === 'nothing' && !this.#isOver) this.#options.rounds.callerSaidNothing()
      return heard
    })
    if (this.#isOver) {
      over.prepared?.discard()
      return
    }
    const turnOrLeftOver = this.#answers.withLeftOver(turn)
    if (turnOrLeftOver) this.#answers.give(turnOrLeftOver, over)
    else if (over.isHeldBack) void turn.then((heard) => this.#answerHeldBack(heard, over.endedAt))
    else this.#answers.give(turn, over)
    this.#options.onChanged()
  }

  /** The caller spoke while the assistant spoke. Too few words only show that the caller is listening, so the assistant goes on. */
  #answerHeldBack(heard: HeardTurn, endedAt: number): void {
    if (this.#isOver) return
    const interrupts = this.#turns.interrupts(heard)
    if (interrupts) this.#interrupt()
    if (interrupts || !this.#options.speech.audible) this.#answers.give(Promise.resolve(heard), { endedAt })
  }

  #record(line: Line): void {
    const { conversation, rounds, events } = this.#options
    conversation.add(line)
    if (!this.#isOver) rounds.callerSaid()
    events.transcript('user', line.text)
    events.conversation(conversation)
  }

  /** Keys take the turn, as speech does. One answer covers the keys and what the caller says around them. */
  #typed(keys: string): void {
    const { clock, speech, floor, events } = this.#options
    const time = clock.now()
    const wasAudible = speech.audible
    if (floor.cut() && wasAudible) events.interrupted()
    this.#answers.forget()
    const line: Line = { role: 'user', text: keypadLine(keys), time, endTime: time }
    this.#record(line)
    const typed = this.#turns.settled.then((): HeardTurn => ({ kind: 'line', line }))
    if (this.#turns.speaking) this.#answers.postpone(typed)
    else this.#answers.give(typed, { endedAt: time })
  }
}
