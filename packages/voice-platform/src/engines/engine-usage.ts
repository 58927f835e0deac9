import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { Engines, Model, ModelMessage, Transcriber, Voice } from './engine.js'

/** Characters of a token, roughly. */
const CHARACTERS_PER_TOKEN = 4

/** Tokens of so many characters, by a rule of thumb. */
export const tokensOf = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN)

export const charactersOf = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0)

/** What the engines worked for one call, with what was made in vain. */
export class EngineUsage {
  modelRead = 0
  modelWritten = 0
  transcribedSeconds = 0
  spokenCharacters = 0

  /** These engines, counted from now on. */
  of({ transcriber, model, voice }: Engines): Engines {
    return {
      transcriber: this.#transcriber(transcriber),
      model: this.#model(model),
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

  #model(model: Model): Model {
    return replacing(model, 'reply', (messages, options) => {
      this.modelRead += charactersOf(messages)
      return this.#written(model.reply(messages, options))
    })
  }

  async *#written(reply: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of reply) {
      this.modelWritten += piece.length
      yield piece
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
