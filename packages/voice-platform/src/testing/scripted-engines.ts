import {
  EngineError,
  type Engines,
  type Heard,
  type ModelMessage,
  type ModelOptions,
  type ToolCall,
  type TranscriberOptions,
} from '../engines/engine.js'

/** One answer of a scripted engine: its output, a failure, or `hang` for work that only an abort ends. */
export type Scripted<T> = T | Error | 'hang'

export interface EngineScript {
  /** One entry an utterance; the last one repeats. A text, or null for speech that is not understood. */
  heard?: Scripted<{ text: string | null }>[]
  /** One entry a reply; the last one repeats. Pieces; an Error among them breaks the reply off there. */
  replies?: Scripted<(string | Error)[]>[]
  /** The tools that each reply uses, one entry a reply; none after the last one. */
  uses?: (Omit<ToolCall, 'id'> & { id?: string })[][]
  /** Failures of the voice, by the text that it is to speak. */
  voiceFails?: (text: string) => boolean
  /** How often the voice fails before it works again; for good when left out. */
  voiceFailures?: number
}

/** Engines for tests that do what a script says; 100 samples of speech a character, all of them 1000. */
export class ScriptedEngines implements Engines {
  /** What the engines were asked, in order. */
  readonly spoken: string[] = []
  readonly asked: { messages: readonly ModelMessage[]; options: ModelOptions }[] = []
  readonly utterances: Int16Array[] = []
  /** What the transcriber was told of each of them. */
  readonly listened: TranscriberOptions[] = []
  readonly #script: EngineScript
  #voiceFailures = 0

  constructor(script: EngineScript = {}) {
    this.#script = script
  }

  readonly transcriber = {
    name: 'scripted transcriber',
    transcribe: async (speech: Int16Array, options: TranscriberOptions): Promise<Heard> => {
      this.utterances.push(speech)
      this.listened.push(options)
      const answer = nth(this.#script.heard ?? [{ text: null }], this.utterances.length)
      const { text } = await given(answer, options.signal)
      return { text, durationMs: speech.length / 16 }
    },
  }

  readonly model = {
    name: 'scripted model',
    reply: (messages: readonly ModelMessage[], options: ModelOptions): AsyncIterable<string> => {
      this.asked.push({ messages: structuredClone(messages), options })
      const answer = nth(this.#script.replies ?? [['Very well.']], this.asked.length)
      return using(pieces(answer, options.signal), this.#script.uses?.[this.asked.length - 1] ?? [], options)
    },
  }

  readonly voice = {
    name: 'scripted voice',
    speak: (text: string, { signal }: { signal: AbortSignal }): AsyncIterable<Int16Array> => {
      this.spoken.push(text)
      return this.#speech(text, signal)
    },
  }

  async *#speech(text: string, signal: AbortSignal): AsyncGenerator<Int16Array> {
    signal.throwIfAborted()
    const { voiceFails, voiceFailures = Number.POSITIVE_INFINITY } = this.#script
    if (voiceFails?.(text) && this.#voiceFailures++ < voiceFailures)
      throw new EngineError('scripted voice', 'it failed')
    yield new Int16Array(text.length * 100).fill(1000)
  }
}

/** Calls of tools that have no id in the script get one of their own. */
let scripted = 0

/** A reply that uses these tools when its words are over. */
async function* using(
  words: AsyncIterable<string>,
  calls: readonly (Omit<ToolCall, 'id'> & { id?: string })[],
  { onToolCall }: ModelOptions,
): AsyncGenerator<string> {
  yield* words
  for (const call of calls) {
    scripted += 1
    onToolCall?.({ id: `call_${scripted}`, ...call })
  }
}

async function* pieces(answer: Scripted<(string | Error)[]>, signal: AbortSignal): AsyncGenerator<string> {
  for (const piece of await given(answer, signal)) {
    if (piece instanceof Error) throw piece
    signal.throwIfAborted()
    yield piece
  }
}

async function given<T>(answer: Scripted<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  if (answer instanceof Error) throw answer
  if (answer !== 'hang') return answer
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function nth<T>(entries: readonly T[], count: number): T {
  const entry = entries[Math.min(count, entries.length) - 1]
  if (entry === undefined) throw new Error('The script is empty.')
  return entry
}
