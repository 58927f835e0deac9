import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import type { Transcriber } from '../engines/engine.js'
import type { BridgeCall } from '../session/bridge-call.js'
import { startSession } from '../session/running-session.js'
import type { MeasuredTurn, SessionAssistant, SessionOptions } from '../session/session.js'
import { type Delays, delayedEngines } from './delayed-engines.js'
import { type EngineScript, ScriptedEngines } from './scripted-engines.js'
import { ScriptedLink } from './scripted-link.js'

export const silence = (ms: number) => new Int16Array(ms * 16)

/** Like a held vowel: pulses 133 times a second, each ringing at two formants. */
export const vowel = (ms: number) =>
  Int16Array.from({ length: ms * 16 }, (_, n) => {
    const since = n % 120
    return 8000 * Math.exp(-since / 30) * (Math.sin(since / 3.6) + 0.6 * Math.sin(since / 1.9))
  })

/** Lets everything happen that waits for no clock. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A session between a scripted caller and scripted engines, on a clock that stands still. */
export function startTestSession(
  assistant: Partial<SessionAssistant> = {},
  script: EngineScript = {},
  playsAtOnce = true,
  delays?: Delays,
  bridge?: BridgeCall,
  calls: Pick<SessionOptions, 'tools' | 'mostToolCalls' | 'answeredMsAgo' | 'onTranscribed' | 'closing'> = {},
  open?: Transcriber['open'],
) {
  const link = new ScriptedLink()
  link.playsAtOnce = playsAtOnce
  const clock = new ManualClock()
  const engines = new ScriptedEngines(script)
  const scripted = delays ? delayedEngines(engines, clock, delays) : engines
  const transcriber = open ? { ...scripted.transcriber, open } : scripted.transcriber
  const atWork = { transcriber, model: scripted.model, voice: scripted.voice }
  const logger = pino({ level: 'silent' })
  const whole = { maxDurationSeconds: 600, silenceTimeoutSeconds: 30, ...assistant }
  const measured: MeasuredTurn[] = []
  const onMeasured = (turn: MeasuredTurn) => measured.push(turn)
  const session = startSession(
    { link, engines: atWork, logger, assistant: whole, bridge, onMeasured, ...calls },
    clock,
  )

  /** The caller's audio, frame by frame, in its own time. */
  const speak = (samples: Int16Array): void => {
    for (let at = 0; at < samples.length; at += 320) {
      clock.advance(20)
      link.handlers.onAudio(samples.subarray(at, at + 320))
    }
  }
  /** The same, with all that follows from each 10 ms before the next ones. */
  const live = async (samples: Int16Array): Promise<void> => {
    for (let at = 0; at < samples.length; at += 320) {
      clock.advance(10)
      await settled()
      clock.advance(10)
      link.handlers.onAudio(samples.subarray(at, at + 320))
      await settled()
    }
  }
  return {
    session,
    engines,
    link,
    clock,
    logger,
    /** The turns whose replies were heard. */
    measured,
    speak,
    live,
    /** A turn and a silence that ends it, whatever was said, all at once: the engines answer after it. */
    takeTurn: () => {
      speak(vowel(400))
      speak(silence(1600))
    },
    /** The final ones. */
    transcripts: () =>
      link
        .eventsOf('transcript')
        .filter(({ transcriptType }) => transcriptType === 'final')
        .map(({ role, transcript }) => `${role}: ${transcript}`),
  }
}
