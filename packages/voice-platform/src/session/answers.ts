import type { Clock } from '@heyline/kit/clock'
import { abortable } from '../work/abortable.js'
import type { AssistantPart } from './assistant-part.js'
import type { AssistantSpeech, ReplyOptions } from './assistant-speech.js'
import type { CallerTurn } from './caller-turns.js'
import type { HeardTurn } from './hearing.js'

export interface AnswersOptions {
  part: AssistantPart
  speech: AssistantSpeech
  clock: Clock
  /** Something else than a reply follows this turn: true where that was begun. */
  instead(): boolean
}

/** The assistant's answers to the caller's turns. It knows which turn still waits for its answer, so that no turn is lost to an interruption. */
export class Answers {
  readonly #options: AnswersOptions
  /** The answer that the caller has not begun to hear. */
  #awaited: { turn: Promise<HeardTurn>; hasFloor: boolean } | undefined
  /** A turn without an answer, while the caller has the next turn. It is answered if nothing is said in that one. */
  #unanswered: Promise<HeardTurn> | undefined

  constructor(options: AnswersOptions) {
    this.#options = options
  }

  /** The caller begins a turn. An older turn that still had no answer is dropped. */
  begin(): void {
    this.#unanswered = undefined
  }

  /** The caller interrupts. A turn whose answer was not heard yet is kept for later. */
  interrupt(): void {
    this.#unanswered = this.#awaited?.turn
    this.#awaited = undefined
  }

  /** The sound of the assistant has begun or ended. */
  soundChanged(): void {
    if (this.#options.speech.audible && this.#awaited?.hasFloor) this.#awaited = undefined
  }

  /** Typed keys replace the answer that was awaited. */
  forget(): void {
    this.#awaited = undefined
  }

  /** Keeps this turn for later while the caller goes on speaking. */
  postpone(turn: Promise<HeardTurn>): void {
    this.#unanswered = turn
  }

  /** This turn, or the one kept for later if nothing was said in this one. Undefined if none was kept. */
  withLeftOver(turn: Promise<HeardTurn>): Promise<HeardTurn> | undefined {
    const before = this.#unanswered
    this.#unanswered = undefined
    return before && turn.then((heard) => (heard.kind === 'nothing' ? before : heard))
  }

  /** Answers a turn when its words are known and the floor is free. Typed keys are answered like speech, but not measured. */
  give(
    turn: Promise<HeardTurn>,
    { endedAt, prepared }: Pick<CallerTurn, 'endedAt'> & Partial<CallerTurn>,
  ): void {
    const { part, speech, clock } = this.#options
    const endpointingLatency = clock.now() - endedAt
    const awaited = { turn, hasFloor: false }
    this.#awaited = awaited
    void part
      .take(async (signal) => {
        awaited.hasFloor = true
        const heard = await abortable(turn, signal)
        if (heard.kind === 'failed') await speech.apologise(heard.failure, signal)
        else if (heard.kind === 'line' && !this.#options.instead()) {
          const turn = heard.transcribed && measured(endedAt, endpointingLatency, heard.transcribed)
          await speech.reply(signal, { prepared, ...(turn && { turn }) })
        }
      })
      .then(() => {
        if (this.#awaited === awaited) this.#awaited = undefined
        prepared?.discard()
      })
  }
}

/** What is known of a turn before its reply. */
const measured = (
  endedAt: number,
  endpointingLatency: number,
  { askedAt, tookMs }: { askedAt: number; tookMs: number },
): NonNullable<ReplyOptions['turn']> => ({
  endedAt,
  latency: { endpointingLatency, transcriberLatency: tookMs },
  parts: [{ part: 'transcriber', afterMs: askedAt - endedAt, tookMs }],
})
