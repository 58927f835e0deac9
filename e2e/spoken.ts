import { createOfflineEngines } from '@heyline/voice-platform'
import { pino } from 'pino'

/** What the offline voice says for this text: PCM16 mono 16 kHz. */
export async function spoken(text: string): Promise<Int16Array> {
  const engines = createOfflineEngines({ logger: pino({ level: 'silent' }) })
  try {
    const pieces: Int16Array[] = []
    for await (const piece of engines.voice.speak(text, { signal: AbortSignal.timeout(20_000) }))
      pieces.push(piece)
    return joined(pieces)
  } finally {
    await engines.close()
  }
}

export function joined(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
