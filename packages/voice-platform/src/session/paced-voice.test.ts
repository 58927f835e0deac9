import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { settled, startTestSession } from '../testing/session-bench.js'
import { pacedVoice } from './paced-voice.js'

const TEXT = 'We are open from nine to five on every day of the week.'

it('speaks at once what a listener can hear, and the rest in its time', async () => {
  const clock = new ManualClock()
  const engines = new ScriptedEngines()
  const voice = pacedVoice(engines.voice, clock)
  const call = new AbortController()
  const speak = async (text: string) => {
    for await (const _ of voice.speak(text, { signal: call.signal }));
  }
  await speak('ba'.repeat(2_000))
  const next = speak('ba'.repeat(20))
  clock.advance(990)
  await settled()
  expect(engines.spoken).toHaveLength(1)
  clock.advance(10)
  await next
  expect(engines.spoken).toHaveLength(2)
  const last = speak('ba'.repeat(20))
  call.abort(new Error('the call is over'))
  await expect(last).rejects.toThrow('the call is over')
  expect(engines.spoken).toHaveLength(2)
  expect(clock.pending).toBe(0)
})

it('digits wait as long as they will sound', async () => {
  const clock = new ManualClock()
  const engines = new ScriptedEngines()
  const voice = pacedVoice(engines.voice, clock)
  const { signal } = new AbortController()
  const speak = async (text: string) => {
    for await (const _ of voice.speak(text, { signal }));
  }
  await speak('ba'.repeat(2_000))
  // Fifty characters weigh 410, which come in some ten seconds.
  const digits = speak('1977 '.repeat(10))
  clock.advance(10_240)
  await settled()
  expect(engines.spoken).toHaveLength(1)
  clock.advance(10)
  await digits
  expect(engines.spoken).toHaveLength(2)
})

it('a client that says it has heard everything at once has no more spoken than 4,000 characters and 40 a second', async () => {
  const { engines, link, clock } = startTestSession({
    firstMessage: `${TEXT} `.repeat(170),
    firstMessageInterruptible: true,
  })
  for (let second = 0; second < 60; second += 1) {
    link.handlers.onMessage({ type: 'control', control: 'say-first-message' })
    clock.advance(1_000)
    await settled()
  }
  const characters = engines.spoken.reduce((sum, text) => sum + text.length, 0)
  expect(characters).toBeGreaterThan(4_000)
  expect(characters).toBeLessThanOrEqual(4_000 + 40 * 60)
})
