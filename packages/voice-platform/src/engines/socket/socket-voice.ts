import { type Clock, systemClock } from '@heyline/kit/clock'
import { EngineError, type Voice } from '../engine.js'
import { SpeechSocket } from './speech-socket.js'
import type { SpeechKind } from './speech-wire.js'

/** How long a socket waits for the next sentence, in milliseconds. And most that wait, of all calls. */
const IDLE_MS = 15_000
const MOST_IDLE = 8

interface Idle {
  speaker: string
  socket: SpeechSocket
  stop(): void
}

/**
 * A voice over sockets. A sentence takes a socket for itself; when it is spoken, the socket waits for the next sentence of the same
 * speaker, so that a call connects once. A sentence that is broken off ends its socket: nothing of it is heard later.
 */
export function socketVoice(
  engine: string,
  kindOf: (speaker: string) => SpeechKind,
  speaker: string,
  clock: Clock = systemClock,
): Voice {
  const idle = new Set<Idle>()

  function take(wanted: string): SpeechSocket {
    for (const one of [...idle].reverse()) {
      if (one.speaker !== wanted) continue
      idle.delete(one)
      one.stop()
      if (one.socket.isUsable) return one.socket
    }
    return new SpeechSocket(kindOf(wanted), clock)
  }

  function keep(of: string, socket: SpeechSocket): void {
    if (!socket.isUsable || idle.size >= MOST_IDLE) {
      socket.close()
      return
    }
    const one: Idle = { speaker: of, socket, stop: () => {} }
    one.stop = clock.after(IDLE_MS, () => {
      idle.delete(one)
      socket.close()
    })
    idle.add(one)
  }

  async function* speakAs(wanted: string, text: string, signal: AbortSignal): AsyncGenerator<Int16Array> {
    signal.throwIfAborted()
    const socket = take(wanted)
    let isWhole = false
    try {
      yield* socket.speak(text, signal)
      isWhole = true
    } finally {
      if (isWhole) keep(wanted, socket)
      else socket.close()
    }
  }

  function withSpeaker(wanted: string, onRefused: () => void): Voice {
    let isRefused = false
    return {
      name: engine,
      async *speak(text, { signal }) {
        if (!isRefused)
          try {
            return yield* begunOrNothing(speakAs(wanted, text, signal))
          } catch (error) {
            if (!(error instanceof NotBegun) || signal.aborted) throw unwrapped(error)
          }
        for await (const samples of speakAs(speaker, text, signal)) {
          if (!isRefused) onRefused()
          isRefused = true
          yield samples
        }
      },
    }
  }

  return {
    name: engine,
    speak: (text, { signal }) => speakAs(speaker, text, signal),
    withSpeaker(wanted, onRefused) {
      return wanted === speaker ? this : withSpeaker(wanted, onRefused)
    },
    close() {
      for (const one of idle) {
        one.stop()
        one.socket.close()
      }
      idle.clear()
    },
  }
}

/** It failed before its first sound. */
class NotBegun extends Error {}

async function* begunOrNothing(speech: AsyncIterable<Int16Array>): AsyncGenerator<Int16Array> {
  let isBegun = false
  try {
    for await (const samples of speech) {
      isBegun = true
      yield samples
    }
  } catch (error) {
    if (isBegun || !(error instanceof EngineError)) throw error
    throw new NotBegun('it failed before its first sound', { cause: error })
  }
}

const unwrapped = (error: unknown) => (error instanceof NotBegun ? error.cause : error)
