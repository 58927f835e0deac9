import { levelOf, SAMPLE_RATE } from '@heyline/room-protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Voice } from './engine.js'

export interface VoiceBench {
  voice: Voice
  close(): Promise<void>
}

const SENTENCE = 'Good morning, how can I help you today?'

/** What every voice does. */
export function describeVoice(name: string, open: () => Promise<VoiceBench>): void {
  describe(`${name} is a voice`, () => {
    let bench: VoiceBench
    beforeAll(async () => {
      bench = await open()
    })
    afterAll(() => bench.close())

    const speak = async (text: string, signal = new AbortController().signal) => {
      const pieces: Int16Array[] = []
      for await (const piece of bench.voice.speak(text, { signal })) pieces.push(piece)
      return Int16Array.from(pieces.flatMap((piece) => [...piece]))
    }

    it('has a name', () => {
      expect(bench.voice.name).not.toBe('')
    })

    it('speaks a sentence audibly, at 16 kHz', async () => {
      const speech = await speak(SENTENCE)
      expect(speech.length / SAMPLE_RATE).toBeGreaterThan(1)
      expect(speech.length / SAMPLE_RATE).toBeLessThan(6)
      expect(levelOf(speech)).toBeGreaterThan(0.01)
    })

    it('takes longer for a longer text', async () => {
      const [short, long] = await Promise.all([speak('Good morning.'), speak(`${SENTENCE} ${SENTENCE}`)])
      expect(long.length).toBeGreaterThan(short.length * 2)
    })

    it('begins without a pause', async () => {
      const speech = await speak(SENTENCE)
      expect(speech.findIndex((sample) => Math.abs(sample) > 200)).toBeLessThan(SAMPLE_RATE / 20)
    })

    it('does nothing when it is aborted before it began', async () => {
      const reason = new Error('never mind')
      await expect(speak(SENTENCE, AbortSignal.abort(reason))).rejects.toBe(reason)
    })

    it('ends with the reason of an abort', async () => {
      const controller = new AbortController()
      const reason = new Error('interrupted')
      const speech = speak(`A new text, that nobody has heard. ${SENTENCE}`, controller.signal)
      controller.abort(reason)
      await expect(speech).rejects.toBe(reason)
    })

    it('can be left in the middle', async () => {
      const { signal } = new AbortController()
      for await (const piece of bench.voice.speak(`${SENTENCE} ${SENTENCE}`, { signal })) {
        expect(piece.length).toBeGreaterThan(0)
        break
      }
      expect((await speak('Still here.')).length).toBeGreaterThan(0)
    })

    it('lets any text be prepared', () => {
      expect(() => {
        bench.voice.prepare?.('')
        bench.voice.prepare?.(SENTENCE)
      }).not.toThrow()
    })
  })
}
