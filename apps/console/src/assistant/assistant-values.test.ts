import { expect, it } from 'vitest'
import { changesOf, valuesOf } from './assistant-values.js'

const assistant = {
  id: 'a',
  name: 'Ada',
  firstMessage: 'Hello!',
  prompt: 'You help.',
  voice: null,
  model: { provider: 'openai', model: 'gpt-4.1', temperature: 0.5, maxTokens: null },
  limits: { maxDurationSeconds: 600, silenceTimeoutSeconds: 30 },
  updatedAt: '2026-01-01T00:00:00.000Z',
}

it('shows what the platform chooses as nothing', () => {
  const { voice, model } = valuesOf(assistant)
  expect(voice).toEqual({ provider: '', voiceId: '' })
  expect(model).toMatchObject({ temperature: '0.5', maxTokens: '' })
})

it('sends what was changed, and nothing else', () => {
  const values = { ...valuesOf(assistant), prompt: 'You help with teeth.' }
  expect(changesOf(values, { prompt: true })).toEqual({ prompt: 'You help with teeth.' })
  const model = { provider: 'openai', model: 'gpt-4.1', temperature: ' ', maxTokens: '400' }
  expect(changesOf({ ...values, model }, { model: { temperature: true } })).toEqual({
    model: { provider: 'openai', model: 'gpt-4.1', temperature: null, maxTokens: 400 },
  })
})
