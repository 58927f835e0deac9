import { describe, expect, it } from 'vitest'
import { assistantOverrides } from './assistant-overrides.js'

describe('assistantOverrides', () => {
  it('carries the visitor’s texts and the fixed model', () => {
    expect(assistantOverrides({ system: 'You answer for a bakery.', first_message: 'Hello!' })).toEqual({
      firstMessage: 'Hello!',
      model: {
        provider: 'openai',
        model: 'gpt-4o-mini',
        emotionRecognitionEnabled: true,
        maxTokens: 250,
        messages: [{ role: 'system', content: 'You answer for a bakery.' }],
      },
    })
  })

  it.each([null, '', ' \n'])('leaves out texts that are %j', (empty) => {
    expect(assistantOverrides({ system: empty, first_message: empty })).toEqual({
      model: { provider: 'openai', model: 'gpt-4o-mini', emotionRecognitionEnabled: true, maxTokens: 250 },
    })
  })
})
