import { SAMPLE_RATE } from '@heyline/room-protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Transcriber } from './engine.js'
import { synthesize } from './flite/synthesize.js'

export interface TranscriberBench {
  transcriber: Transcriber
  close(): Promise<void>
}

/** What every transcriber does. */
export function describeTranscriber(name: string, open: () => Promise<TranscriberBench>): void {
  describe(`${name} is a transcriber`, () => {
    let bench: TranscriberBench
    const speech = synthesize('What does it cost?')
    beforeAll(async () => {
      bench = await open()
    })
    afterAll(() => bench.close())
    const { signal } = new AbortController()

    it('has a name', () => {
      expect(bench.transcriber.name).not.toBe('')
    })

    it('tells how long the speech was, and its words or null', async () => {
      const heard = await bench.transcriber.transcribe(speech, { signal })
      expect(heard.durationMs).toBeCloseTo((speech.length / SAMPLE_RATE) * 1000, 0)
      expect(heard.text === null || /what does it cost/i.test(heard.text)).toBe(true)
    })

    it('leaves the speech as it is, and takes part of a longer recording', async () => {
      const before = speech.slice()
      const part = speech.subarray(1600, 9600)
      expect((await bench.transcriber.transcribe(part, { signal })).durationMs).toBe(500)
      expect(speech).toEqual(before)
    })

    it('does nothing when it is aborted before it began', async () => {
      const reason = new Error('never mind')
      const work = bench.transcriber.transcribe(speech, { signal: AbortSignal.abort(reason) })
      await expect(work).rejects.toBe(reason)
    })
  })
}
