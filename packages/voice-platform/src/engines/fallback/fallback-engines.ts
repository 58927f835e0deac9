import { abortable } from '../../work/abortable.js'
import type { Model, Transcriber, TranscriptionStream, Voice, WaitingTranscription } from '../engine.js'
import { streamOfEither } from './fallback-stream.js'
import { type FallbackOptions, impatient, Takeover } from './takeover.js'

/** The first transcriber, and the second one while the first fails. */
export function transcriberWithFallback(
  first: Transcriber,
  second: Transcriber,
  options?: FallbackOptions,
): Transcriber {
  const takeover = new Takeover(options)
  return {
    name: first.name,
    ...(first.punctuates !== undefined && { punctuates: first.punctuates }),
    async transcribe(speech, asked) {
      asked.signal.throwIfAborted()
      if (takeover.isOn) return second.transcribe(speech, asked)
      const wait = impatient(first.name, takeover, asked.signal)
      try {
        return await abortable(first.transcribe(speech, { ...asked, signal: wait.signal }), wait.signal)
      } catch (error) {
        asked.signal.throwIfAborted()
        takeover.begin(error)
      } finally {
        wait.release()
      }
      return second.transcribe(speech, asked)
    },
    ...((first.open || second.open) && {
      open: (events) =>
        (takeover.isOn ? second.open?.(events) : noted(first.open?.(events), takeover)) ?? NOT_STREAMED,
    }),
    ...((first.openAhead || second.openAhead) && {
      openAhead: () => (takeover.isOn ? second.openAhead?.() : notedAhead(first.openAhead?.(), takeover)),
    }),
  }
}

/** The same connection. One that waits while the second engine takes over is not used. */
function notedAhead(
  waiting: WaitingTranscription | undefined,
  takeover: Takeover,
): WaitingTranscription | undefined {
  return (
    waiting && {
      listen(events) {
        if (!takeover.isOn) return noted(waiting.listen(events), takeover)
        waiting.close()
        return undefined
      },
      close: () => waiting.close(),
    }
  )
}

/** A stream of an engine that has none: its turns are transcribed as a whole. */
const NOT_STREAMED: TranscriptionStream = {
  write() {},
  settle: async () => {
    throw new Error('this engine does not stream')
  },
  close() {},
}

/** The same stream. If it fails, the second engine takes over, and transcribes the turn. */
function noted(stream: TranscriptionStream | undefined, takeover: Takeover): TranscriptionStream | undefined {
  return (
    stream && {
      write: (samples) => stream.write(samples),
      async settle(options) {
        try {
          return await stream.settle(options)
        } catch (error) {
          if (!options.signal.aborted) takeover.begin(error)
          throw error
        }
      },
      close: () => stream.close(),
    }
  )
}

/** The first model, and the second one while the first fails. */
export function modelWithFallback(first: Model, second: Model, options?: FallbackOptions): Model {
  const takeover = new Takeover(options)
  return {
    name: first.name,
    reply: (messages, asked) =>
      streamOfEither(
        first.name,
        takeover,
        asked.signal,
        (signal) => first.reply(messages, { ...asked, signal }),
        () => second.reply(messages, asked),
      ),
  }
}

/** The first voice, and the second one while the first fails. A call's own speaker is one of the first voice. */
export function voiceWithFallback(first: Voice, second: Voice, options?: FallbackOptions): Voice {
  const takeover = new Takeover(options)
  const over = (voice: Voice): Voice => ({
    name: voice.name,
    speak: (text, asked) =>
      streamOfEither(
        voice.name,
        takeover,
        asked.signal,
        (signal) => voice.speak(text, { ...asked, signal }),
        () => second.speak(text, asked),
      ),
    ...(voice.prepare && { prepare: (text) => voice.prepare?.(text) }),
    ...(voice.forCall && { forCall: () => over(voice.forCall?.() ?? voice) }),
    ...(voice.withSpeaker && {
      withSpeaker: (voiceId, onRefused) => over(voice.withSpeaker?.(voiceId, onRefused) ?? voice),
    }),
  })
  return {
    ...over(first),
    close() {
      first.close?.()
      second.close?.()
    },
  }
}
