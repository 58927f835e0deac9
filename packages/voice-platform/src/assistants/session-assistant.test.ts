import { describe, expect, it } from 'vitest'
import { sessionAssistant, withOverrides } from './session-assistant.js'

describe('overrides', () => {
  const stored = {
    firstMessage: 'Stored.',
    model: {
      provider: 'openai' as const,
      model: 'gpt-4o',
      maxTokens: 500,
      messages: [{ role: 'system' as const, content: 'The prompt.' }],
    },
    silenceTimeoutSeconds: 20,
  }

  it('replace what they name, and leave the rest', () => {
    expect(withOverrides(stored, { firstMessage: 'Hey.' })).toEqual({ ...stored, firstMessage: 'Hey.' })
    expect(withOverrides(stored, undefined)).toBe(stored)
  })

  it('keep the assistant’s prompt when the model is named without messages', () => {
    const { model } = withOverrides(stored, {
      model: { provider: 'openai', model: 'gpt-4o-mini', maxTokens: 250 },
    })
    expect(model).toEqual({ ...stored.model, model: 'gpt-4o-mini', maxTokens: 250 })
  })
})

describe('what a session uses', () => {
  it('has the platform’s defaults', () => {
    expect(sessionAssistant({})).toEqual({
      maxTokens: 250,
      maxDurationSeconds: 600,
      silenceTimeoutSeconds: 30,
    })
  })

  it('joins the system messages and leaves the others out', () => {
    const messages = [
      { role: 'system' as const, content: 'One.' },
      { role: 'user' as const, content: 'Hello.' },
      { role: 'system' as const, content: null },
      { role: 'system' as const, content: 'Two.' },
    ]
    expect(sessionAssistant({ model: { provider: 'openai', model: 'gpt-4o-mini', messages } })).toMatchObject(
      {
        systemPrompt: 'One.\n\nTwo.',
        model: 'gpt-4o-mini',
      },
    )
  })

  it('has no first message where the assistant waits', () => {
    const { firstMessage } = sessionAssistant({
      firstMessage: 'Hello.',
      firstMessageMode: 'assistant-waits-for-user',
    })
    expect(firstMessage).toBeUndefined()
  })
})
