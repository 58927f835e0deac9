import { expect, it } from 'vitest'
import { settled, silence, startTestSession, vowel } from '../testing/session-bench.js'

it('an assistant that should speak and does not for five seconds is told to hang, once', async () => {
  const { clock, link, takeTurn } = startTestSession({}, { heard: [{ text: 'Hello.' }], replies: ['hang'] })
  takeTurn()
  await settled()
  const hangs = () => link.eventsOf('hang').length
  clock.advance(4_000)
  await settled()
  expect(hangs()).toBe(0)
  clock.advance(1_500)
  await settled()
  expect(hangs()).toBe(1)
  clock.advance(20_000)
  await settled()
  expect(hangs()).toBe(1)
})

it('an assistant that speaks, however long, does not hang; nor one that has nothing to say', async () => {
  const { clock, link } = startTestSession({ firstMessage: 'A long story.' }, {}, false)
  await settled()
  clock.advance(20_000)
  link.playAll()
  await settled()
  clock.advance(9_000)
  expect(link.eventsOf('hang')).toEqual([])
})

it('the time counts again from when the caller has finished', async () => {
  const { clock, link, speak } = startTestSession({}, { heard: [{ text: 'Hello.' }], replies: ['hang'] })
  speak(vowel(400))
  speak(silence(2_000))
  await settled()
  clock.advance(2_000)
  speak(vowel(400))
  speak(silence(2_000))
  await settled()
  clock.advance(2_000)
  expect(link.eventsOf('hang')).toEqual([])
  clock.advance(3_000)
  expect(link.eventsOf('hang')).toHaveLength(1)
})
