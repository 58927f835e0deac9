import { expect, it } from 'vitest'
import { ownVoices } from './own-voices.js'

it('are those of the engines that are set, each once', () => {
  const eleven = { url: 'https://api.elevenlabs.io', kind: 'elevenlabs', voice: 'ada' } as const
  const openai = { url: 'https://api.openai.com', name: 'tts-1' }
  expect(ownVoices({ voice: eleven }, { voice: openai })).toEqual([
    { provider: '11labs', providerId: 'ada', name: 'ada' },
    { provider: 'openai', providerId: 'alloy', name: 'alloy', model: 'tts-1' },
  ])
  expect(ownVoices({ voice: openai }, { voice: openai })).toHaveLength(1)
})

it('are the built-in ones where no engine is set', () => {
  expect(ownVoices({}, {})).toBeUndefined()
})
