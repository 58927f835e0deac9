import { expect, it } from 'vitest'
import { settled, silence, startTestSession, vowel } from '../testing/session-bench.js'

it('assistant.speechStarted tells a turn as it grows, sentence by sentence, and where it comes from', async () => {
  const { link, takeTurn } = startTestSession(
    {
      firstMessage: 'Welcome to the shop. How can I help you today?',
      clientMessages: ['assistant.speechStarted'],
    },
    { heard: [{ text: 'Tea.' }], replies: [['We have green tea. ', 'We have black tea.']] },
  )
  await settled()
  takeTurn()
  await settled()
  expect(link.eventsOf('assistant.speechStarted').map(({ text, source }) => `${source}: ${text}`)).toEqual([
    'force-say: Welcome to the shop.',
    'force-say: Welcome to the shop. How can I help you today?',
    'model: We have green tea.',
    'model: We have green tea. We have black tea.',
  ])
})

it('the transcript of a turn is partial at a pause, and final at its end', async () => {
  const { link, speak } = startTestSession({}, { heard: [{ text: 'A pot' }, { text: 'A pot of tea.' }] })
  for (let part = 0; part < 2; part += 1) {
    speak(vowel(400))
    speak(silence(300))
    await settled()
  }
  speak(silence(1_500))
  await settled()
  const heard = link.eventsOf('transcript').filter(({ role }) => role === 'user')
  expect(heard.map(({ transcriptType, transcript }) => `${transcriptType}: ${transcript}`)).toEqual([
    'partial: A pot',
    'partial: A pot of tea.',
    'final: A pot of tea.',
  ])
})
