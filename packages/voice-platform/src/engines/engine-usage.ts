import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { Engines, Model, ModelMessage, Tokens, Transcriber, Voice } from './engine.js'

/** Characters of a token, roughly. */
const CHARACTERS_PER_TOKEN = 4

/** Tokens of so many characters, by a rule of thumb. */
export const tokensOf = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN)

/** Most tokens that are believed of so many characters: four each, and beside them what was thought, or added by a template. */
const mostTokensOf = (characters: number): number => 4 * characters + 10_000

const charactersOf = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0)

/** What the engines worked for one call, with what was made in vain. */
export class EngineUsage {
  /** Tokens that the model itself has counted. */
  promptTokens = 0
  completionTokens = 0
  /** Characters of the replies whose tokens it has not counted. */
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
      const offered = JSON.stringify(options.tools ?? []).length
      return this.#counted(messages, reply, offered, () => tokens)
    })
  }

  async *#counted(
    messages: readonly ModelMessage[],
    reply: AsyncIterable<string>,
    /** Characters of the tools that it was offered. */
    offered: number,
    tokensOf: () => Tokens | undefined,
  ): AsyncGenerator<string> {
    let written = 0
    try {
      for await (const piece of reply) {
        written += piece.length
        yield piece
      }
    } finally {
      const tokens = tokensOf()
      if (tokens) {
        this.promptTokens += Math.min(tokens.prompt, mostTokensOf(charactersOf(messages) + offered))
        this.completionTokens += Math.min(tokens.completion, mostTokensOf(written))
      } else {
        this.modelRead += charactersOf(messages)
        this.modelWritten += written
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
