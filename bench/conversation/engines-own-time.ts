import { createOfflineEngines } from '@heyline/voice-platform'
import { pino } from 'pino'
import { median } from '../report/table.js'
import { QUESTION, question } from './caller-wav.js'

/** How long a turn waits for its end with the default settings where nobody knows what was said, in milliseconds. */
export const ENDPOINT_MS = 500
const ROUNDS = 7

/** What the offline engines take by themselves from the caller's speech to the first piece of the reply's: the median, in ms. */
export async function offlineEnginesMs(): Promise<number> {
  const engines = createOfflineEngines({ logger: pino({ level: 'silent' }) })
  const speech = await question()
  const { signal } = new AbortController()
  const times: number[] = []
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const began = performance.now()
      const { text } = await engines.transcriber.transcribe(speech, { signal })
      const messages = [
        {
          role: 'system' as const,
          content: `You are the receptionist. Call ${round}. We are open until six.`,
        },
        { role: 'user' as const, content: text ?? QUESTION },
      ]
      let reply = ''
      for await (const piece of engines.model.reply(messages, { signal })) {
        reply += piece
        if (/[.!?]\s/.test(reply)) break
      }
      for await (const _ of engines.voice.speak(reply, { signal })) break
      times.push(performance.now() - began)
    }
  } finally {
    await engines.close()
  }
  // The first one starts the workers, which a server has done by then.
  return median(times.slice(1))
}
