import { SAMPLE_RATE } from '@heyline/room-protocol'
import {
  charactersOf,
  type Engines,
  type Model,
  type ModelMessage,
  type Tokens,
  type Transcriber,
  type Voice,
} from './engine.js'
import { messageWeight, readWeight } from './read-weight.js'

/** Characters of English in a token, roughly. */
const CHARACTERS_PER_TOKEN = 4

/** Tokens of a text that weighs as much as so many characters of English (`readWeight`), by a rule of thumb. */
export const tokensOf = (weight: number): number => Math.ceil(weight / CHARACTERS_PER_TOKEN)

/** Most tokens that are believed of so many characters: four each, and beside them what was thought, or added by a template. */
const mostTokensOf = (characters: number): number => 4 * characters + 10_000

const sumOf = (messages: readonly ModelMessage[], each: (message: ModelMessage) => number): number =>
  messages.reduce((sum, message) => sum + each(message), 0)

/** What the engines worked for one call, with what was made in vain. */
export class EngineUsage {
  /** Tokens that the model itself has counted. */
  promptTokens = 0
  completionTokens = 0
  /** What the replies weigh whose tokens it has not counted (`readWeight`). */
  modelRead = 0
  modelWritten = 0
  transcribedSeconds = 0
  spokenCharacters = 0

  /** These engines, counted from now on. */
  of({ transcriber, model, voice }: Engines): Engines {
    return {
      transcriber: this.#transcriber(transcriber),
      model: this.ofModel(model),
      voice: this.#voice(voice),
    }
  }

  #transcriber(transcriber: Transcriber): Transcriber {
    const heard = (samples: Int16Array) => {
      this.transcribedSeconds += samples.length / SAMPLE_RATE
    }
    const counted = replacing(transcriber, 'transcribe', (speech, options) => {
      heard(speech)
      return transcriber.transcribe(speech, options)
    })
    const { open } = transcriber
    if (!open) return counted
    return replacing(counted, 'open', (events) => {
      const stream = open.call(transcriber, events)
      return replacing(stream, 'write', (samples) => {
        heard(samples)
        stream.write(samples)
      })
    })
  }

  /** The same for a model alone. */
  ofModel(model: Model): Model {
    return replacing(model, 'reply', (messages, options) => {
      let tokens: Tokens | undefined
      const reply = model.reply(messages, {
        ...options,
        onTokens: (told) => {
          tokens = told
          options.onTokens?.(told)
        },
      })
      const offered = options.tools?.length ? JSON.stringify(options.tools) : ''
      return this.#counted(messages, reply, offered, () => tokens)
    })
  }

  async *#counted(
    messages: readonly ModelMessage[],
    reply: AsyncIterable<string>,
    /** The tools that it was offered, as JSON. */
    offered: string,
    tokensOf: () => Tokens | undefined,
  ): AsyncGenerator<string> {
    let [written, weight] = [0, 0]
    try {
      for await (const piece of reply) {
        written += piece.length
        weight += readWeight(piece)
        yield piece
      }
    } finally {
      const tokens = tokensOf()
      if (tokens) {
        this.promptTokens += Math.min(
          tokens.prompt,
          mostTokensOf(sumOf(messages, charactersOf) + offered.length),
        )
        this.completionTokens += Math.min(tokens.completion, mostTokensOf(written))
      } else {
        // It was asked all the same: a reply that is dropped is paid for like any other.
        this.modelRead += sumOf(messages, messageWeight) + readWeight(offered)
        this.modelWritten += weight
      }
    }
  }

  #voice(voice: Voice): Voice {
    const counted = replacing(voice, 'speak', (text, options) => {
      this.spokenCharacters += text.length
      return voice.speak(text, options)
    })
    if (!voice.withSpeaker) return counted
    return replacing(counted, 'withSpeaker', (voiceId, onRefused) =>
      this.#voice(voice.withSpeaker?.(voiceId, onRefused) ?? voice),
    )
  }
}

/** An engine with another method. All else is the engine's own, whatever it is made of. */
function replacing<Engine extends object, Name extends keyof Engine>(
  engine: Engine,
  name: Name,
  method: Engine[Name],
): Engine {
  return new Proxy(engine, {
    get(target, key) {
      if (key === name) return method
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
