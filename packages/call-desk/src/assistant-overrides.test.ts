import { describe, expect, it } from 'vitest'
import { createAssistantOverrides } from './assistant-overrides.js'

const model = { provider: 'openai', model: 'gpt-4o-mini', emotionRecognitionEnabled: true, maxTokens: 250 }

describe('createAssistantOverrides', () => {
  it('takes both texts from the visitor, verbatim', () => {
    expect(createAssistantOverrides({ slug: 'acme', system: ' Be kind. ', first_message: 'Hello!' })).toEqual(
      {
        firstMessage: 'Hello!',
        model: { ...model, messages: [{ role: 'system', content: ' Be kind. ' }] },
        maxDurationSeconds: 180,
      },
    )
  })

  it.each([null, undefined, '', '  '])('leaves out texts that are %j', (text) => {
    const overrides = createAssistantOverrides({ slug: 'acme', system: text, first_message: text })
    expect(overrides).toEqual({ model, maxDurationSeconds: 180 })
    expect(Object.keys(overrides)).not.toContain('firstMessage')
  })
})
