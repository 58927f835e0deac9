import type {
  Engines,
  Model,
  Transcriber,
  TranscriptionStream,
  Voice,
  WaitingTranscription,
} from '@heyline/voice-platform'
import type { EnginePart, Metrics } from './metrics.js'

type Measures = Pick<Metrics, 'engineAsked' | 'engineTook'>

/** The same engines; what they are asked, how long they take and how it ends is measured. */
export const measuredEngines = ({ transcriber, model, voice }: Engines, measures: Measures): Engines => ({
  transcriber: measuredTranscriber(transcriber, measures),
  model: measuredModel(model, measures),
  voice: measuredVoice(voice, measures),
})

function measuredTranscriber(engine: Transcriber, measures: Measures): Transcriber {
  const open = engine.open?.bind(engine)
  return {
    name: engine.name,
    ...(engine.punctuates !== undefined && { punctuates: engine.punctuates }),
    async transcribe(speech, options) {
      const asked = new Asked('transcriber', measures, options.signal)
      try {
        const heard = await engine.transcribe(speech, options)
        asked.answered()
        asked.ended()
        return heard
      } catch (error) {
        asked.failed()
        throw error
      }
    },
    ...(open && { open: (events) => measuredTurn(open(events), measures) }),
    ...(engine.openAhead && { openAhead: () => measuredAhead(engine.openAhead?.(), measures) }),
    ...(engine.withWords && {
      withWords: (words) => measuredTranscriber(engine.withWords?.(words) ?? engine, measures),
    }),
  }
}

const measuredAhead = (
  waiting: WaitingTranscription | undefined,
  measures: Measures,
): WaitingTranscription | undefined =>
  waiting && {
    listen(events) {
      const stream = waiting.listen(events)
      return stream && measuredTurn(stream, measures)
    },
    close: () => waiting.close(),
  }

/** A stream counts as asked at each pause, and takes as long as its final words. */
function measuredTurn(stream: TranscriptionStream, measures: Measures): TranscriptionStream {
  return {
    write: (samples) => stream.write(samples),
    async settle(options) {
      const asked = new Asked('transcriber', measures, options.signal)
      try {
        const words = await stream.settle(options)
        asked.answered()
        asked.ended()
        return words
      } catch (error) {
        asked.failed()
        throw error
      }
    },
    close: () => stream.close(),
  }
}

const measuredModel = (engine: Model, measures: Measures): Model => ({
  name: engine.name,
  reply: (messages, options) =>
    measuredStream(engine.reply(messages, options), new Asked('model', measures, options.signal)),
})

function measuredVoice(engine: Voice, measures: Measures): Voice {
  return {
    name: engine.name,
    speak: (text, options) =>
      measuredStream(engine.speak(text, options), new Asked('voice', measures, options.signal)),
    ...(engine.prepare && { prepare: (text) => engine.prepare?.(text) }),
    ...(engine.forCall && { forCall: () => measuredVoice(engine.forCall?.() ?? engine, measures) }),
    ...(engine.withSpeaker && {
      withSpeaker: (voiceId, onRefused) =>
        measuredVoice(engine.withSpeaker?.(voiceId, onRefused) ?? engine, measures),
    }),
  }
}

async function* measuredStream<Piece>(pieces: AsyncIterable<Piece>, asked: Asked): AsyncGenerator<Piece> {
  try {
    for await (const piece of pieces) {
      asked.answered()
      yield piece
    }
    asked.ended()
  } catch (error) {
    asked.failed()
    throw error
  } finally {
    // Whoever reads no further wants no more of it.
    asked.left()
  }
}

/** One question to an engine. It is counted once. */
class Asked {
  readonly #engine: EnginePart
  readonly #measures: Measures
  readonly #signal: AbortSignal
  readonly #startedAt = performance.now()
  #hasAnswered = false
  #isOver = false

  constructor(engine: EnginePart, measures: Measures, signal: AbortSignal) {
    this.#engine = engine
    this.#measures = measures
    this.#signal = signal
  }

  /** The first output is there. */
  answered(): void {
    if (this.#hasAnswered) return
    this.#hasAnswered = true
    this.#measures.engineTook(this.#engine, (performance.now() - this.#startedAt) / 1000)
  }

  ended(): void {
    this.#over('ok')
  }

  failed(): void {
    this.#over(this.#signal.aborted ? 'dropped' : 'failed')
  }

  left(): void {
    this.#over('dropped')
  }

  #over(result: 'ok' | 'failed' | 'dropped'): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#measures.engineAsked(this.#engine, result)
  }
}
