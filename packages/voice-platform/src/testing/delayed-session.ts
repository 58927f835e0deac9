import type { SessionAssistant } from '../session/session.js'
import type { EngineScript } from './scripted-engines.js'
import { silence, startTestSession } from './session-bench.js'

/** Milliseconds that each engine takes: as hosted ones do. */
export const STAND_INS = { transcriberMs: 150, modelMs: 250, voiceMs: 120 }
export const NO_DELAYS = { transcriberMs: 0, modelMs: 0, voiceMs: 0 }

/** A session whose engines take their time, with a caller who is understood. */
export const startDelayed = (
  script: EngineScript,
  assistant: Partial<SessionAssistant> = {},
  delays = STAND_INS,
) => startTestSession(assistant, { heard: [{ text: 'What do you sell?' }], ...script }, true, delays)

/** Milliseconds of silence until the first sound of the assistant. */
export async function untilAudible({ live, link }: ReturnType<typeof startDelayed>): Promise<number> {
  for (let ms = 20; ms <= 5000; ms += 20) {
    await live(silence(20))
    if (link.sent.length > 0) return ms
  }
  throw new Error('The assistant says nothing.')
}
