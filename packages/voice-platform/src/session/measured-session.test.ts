import { describe, expect, it } from 'vitest'
import { startDelayed, untilAudible } from '../testing/delayed-session.js'
import { silence, startTestSession, vowel } from '../testing/session-bench.js'

describe('what a session measures', () => {
  it('is how long each part of a reply took, and all of them from the last sound of the caller', async () => {
    const bench = startDelayed({ replies: [['We sell tea.']] })
    await bench.live(vowel(400))
    await untilAudible(bench)
    expect(bench.measured).toMatchObject([
      {
        latency: { turnLatency: 680 },
        parts: [
          { part: 'transcriber', tookMs: 150 },
          { part: 'model', tookMs: 250 },
          { part: 'voice', tookMs: 120 },
        ],
      },
    ])
    const ends = bench.measured[0]?.parts.map(({ afterMs, tookMs }) => afterMs + tookMs) ?? []
    expect(ends).toEqual([...ends].sort((one, other) => one - other))
    expect(ends.at(-1)).toBeLessThanOrEqual(680)
    bench.session.end('assistant-ended-call')
    expect((await bench.session.ended).performance).toEqual({
      turns: [
        {
          endpointingLatency: 400,
          transcriberLatency: 150,
          modelLatency: 250,
          voiceLatency: 120,
          turnLatency: 680,
        },
      ],
      numAssistantInterrupted: 0,
    })
  })

  it('is the same of a reply that was not prepared, and how often the caller interrupted', async () => {
    const bench = startTestSession(
      { firstMessage: 'Welcome to the shop.', firstMessageInterruptible: true },
      { heard: [{ text: 'Stop.' }] },
      false,
      { transcriberMs: 2000, modelMs: 250, voiceMs: 120 },
    )
    await bench.live(silence(200))
    await bench.live(vowel(400))
    await bench.live(silence(3000))
    expect(bench.link.eventsOf('transcript')).not.toContainEqual(
      expect.objectContaining({ transcriptType: 'partial' }),
    )
    bench.session.end('assistant-ended-call')
    expect((await bench.session.ended).performance).toEqual({
      turns: [
        {
          endpointingLatency: 1500,
          transcriberLatency: 2000,
          modelLatency: 250,
          voiceLatency: 120,
          turnLatency: 160 + 2000 + 250 + 120,
        },
      ],
      numAssistantInterrupted: 1,
    })
  })

  it('is nothing where nobody was answered', async () => {
    const { session } = startDelayed({})
    session.end('assistant-ended-call')
    expect(await session.ended).not.toHaveProperty('performance')
  })
})
