import { describe, expect, it } from 'vitest'
import { ownServer } from '../calls/message-server.js'
import { sessionAssistant, withOverrides } from './session-assistant.js'

const variables = { now: new Date(0), values: { name: 'Ada' } }

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

  it('that name another server do not have its messages signed with the assistant’s credentials', () => {
    const url = 'https://ours.example/hook'
    const credentials = [
      { provider: 'webhook' as const, authenticationPlan: { type: 'bearer' as const, token: 'hush' } },
    ]
    const own = { ...stored, server: { url }, credentials }
    const elsewhere = { url: 'https://elsewhere.example/' }
    expect(withOverrides(own, { server: elsewhere })).toEqual({ ...stored, server: elsewhere })
    expect(ownServer(withOverrides(own, { server: elsewhere }))).toEqual(elsewhere)
    expect(withOverrides(own, { server: elsewhere, credentials })).toMatchObject({ credentials })
    expect(withOverrides(own, { server: { url, timeoutSeconds: 5 } })).toMatchObject({ credentials })
    expect(withOverrides(own, { name: 'Ava' })).toMatchObject({ credentials })
    expect(withOverrides({ credentials }, { server: elsewhere })).toMatchObject({ credentials })
  })
})

describe('what a session uses', () => {
  it('has the platform’s defaults', () => {
    expect(sessionAssistant({}, variables)).toEqual({
      maxTokens: 250,
      maxDurationSeconds: 600,
      silenceTimeoutSeconds: 30,
      firstMessageInterruptible: false,
    })
  })

  it('joins the system messages and leaves the others out', () => {
    const messages = [
      { role: 'system' as const, content: 'One.' },
      { role: 'user' as const, content: 'Hello.' },
      { role: 'system' as const, content: null },
      { role: 'system' as const, content: 'Two.' },
    ]
    const model = { provider: 'openai' as const, model: 'gpt-4o-mini', messages }
    expect(sessionAssistant({ model }, variables)).toMatchObject({
      systemPrompt: 'One.\n\nTwo.',
      model: 'gpt-4o-mini',
    })
  })

  it('has no first message where the assistant waits', () => {
    const { firstMessage, modelSpeaksFirst } = sessionAssistant(
      { firstMessage: 'Hello.', firstMessageMode: 'assistant-waits-for-user' },
      variables,
    )
    expect([firstMessage, modelSpeaksFirst]).toEqual([undefined, undefined])
  })

  it('lets the model find the first message where the assistant says so', () => {
    const { firstMessage, modelSpeaksFirst } = sessionAssistant(
      { firstMessage: 'Hello.', firstMessageMode: 'assistant-speaks-first-with-model-generated-message' },
      variables,
    )
    expect([firstMessage, modelSpeaksFirst]).toEqual([undefined, true])
  })

  it('has the values of the call in its texts', () => {
    const messages = [{ role: 'system' as const, content: 'You talk to {{name}}.' }]
    expect(
      sessionAssistant(
        {
          firstMessage: 'Hey {{name}}!',
          endCallMessage: 'Bye, {{name}}{{nobody}}.',
          endCallPhrases: ['bye {{name}}'],
          model: { provider: 'openai', model: 'gpt-4o-mini', messages },
        },
        variables,
      ),
    ).toMatchObject({
      firstMessage: 'Hey Ada!',
      endCallMessage: 'Bye, Ada.',
      endCallPhrases: ['bye Ada'],
      systemPrompt: 'You talk to Ada.',
    })
  })

  it('has the plans as far as they are given', () => {
    expect(
      sessionAssistant(
        {
          name: 'Clerk',
          firstMessageInterruptionsEnabled: true,
          startSpeakingPlan: {
            waitSeconds: 1,
            smartEndpointingEnabled: true,
            transcriptionEndpointingPlan: { onNumberSeconds: 2 },
          },
          stopSpeakingPlan: { numWords: 2, interruptionPhrases: ['stop'] },
          clientMessages: ['transcript'],
        },
        variables,
      ),
    ).toMatchObject({
      name: 'Clerk',
      firstMessageInterruptible: true,
      startSpeaking: { waitSeconds: 1, onNumberSeconds: 2 },
      stopSpeaking: { numWords: 2 },
      clientMessages: ['transcript'],
    })
  })

  it.each([
    [{ enabled: true }, { timeoutSeconds: 2, delimiters: [] }],
    [
      { enabled: true, timeoutSeconds: 0, delimiters: '#' as const },
      { timeoutSeconds: 0, delimiters: ['#'] },
    ],
    [
      { enabled: true, delimiters: ['*' as const, '' as const] },
      { timeoutSeconds: 2, delimiters: ['*'] },
    ],
    [{ timeoutSeconds: 3 }, undefined],
  ])('takes keys by the keypad plan %j', (keypadInputPlan, keypadInput) => {
    expect(sessionAssistant({ keypadInputPlan }, variables).keypadInput).toEqual(keypadInput)
  })
})
