import { describe, expect, it } from 'vitest'
import { createAssistantOverrides } from './assistant-overrides.js'

const disclosure = 'This is an AI.'
const model = { provider: 'openai', model: 'gpt-4o-mini', emotionRecognitionEnabled: true, maxTokens: 250 }
const bounds = {
  firstMessageMode: 'assistant-speaks-first',
  firstMessageInterruptionsEnabled: false,
  maxDurationSeconds: 120,
  silenceTimeoutSeconds: 15,
  artifactPlan: { recordingEnabled: false, pcapEnabled: false },
  voicemailDetection: { provider: 'vapi' },
  voicemailMessage: '',
  monitorPlan: { controlEnabled: true, controlAuthenticationEnabled: false, listenEnabled: false },
  transportConfigurations: [{ provider: 'twilio', timeout: 30, record: false }],
  serverMessages: ['status-update', 'end-of-call-report', 'transcript[transcriptType="final"]'],
}

describe('createAssistantOverrides', () => {
  it('takes both texts from the visitor, verbatim, the first after the disclosure', () => {
    const visitor = { slug: 'acme', system: ' Be kind. ', first_message: ' Hello {{name}}! ' }
    expect(
      createAssistantOverrides({ visitor, disclosure, firstMessage: 'Not this.', maxSeconds: 120 }),
    ).toEqual({
      ...bounds,
      firstMessage: 'This is an AI.  Hello {{name}}! ',
      model: { ...model, messages: [{ role: 'system', content: ' Be kind. ' }] },
    })
  })

  it.each([null, undefined, '', '  '])('leaves out a visitor’s texts that are %j', (text) => {
    const visitor = { slug: 'acme', system: text, first_message: text }
    expect(
      createAssistantOverrides({ visitor, disclosure, firstMessage: 'Hi, I am Ann.', maxSeconds: 120 }),
    ).toEqual({ ...bounds, firstMessage: 'This is an AI. Hi, I am Ann.', model })
  })

  it('says the disclosure alone where nobody has a first message', () => {
    const visitor = { slug: 'acme' }
    for (const firstMessage of [undefined, '', ' '])
      expect(
        createAssistantOverrides({ visitor, disclosure, firstMessage, maxSeconds: 120 }).firstMessage,
      ).toBe('This is an AI.')
  })

  it('leaves it to the platform whether the call is recorded, where its operator may want that', () => {
    const options = { visitor: { slug: 'acme' }, disclosure, firstMessage: undefined, maxSeconds: 120 }
    expect(createAssistantOverrides(options).artifactPlan).toEqual({
      recordingEnabled: false,
      pcapEnabled: false,
    })
    expect(createAssistantOverrides({ ...options, mayBeRecorded: true }).artifactPlan).toBeUndefined()
  })

  it('leaves a campaign’s assistant its model, and its own server what that asks for, but never without the bounds', () => {
    const options = {
      visitor: { slug: '(campaign)' },
      disclosure,
      firstMessage: 'Hi {{name}}.',
      maxSeconds: 120,
    }
    const values = { variableValues: { name: 'Ada' } }
    const said = { firstMessage: 'This is an AI. Hi {{name}}.', ...values }
    expect(createAssistantOverrides({ ...options, campaign: { ...values, hasServer: false } })).toEqual({
      ...bounds,
      ...said,
    })
    const { serverMessages: _, ...others } = bounds
    expect(createAssistantOverrides({ ...options, campaign: { ...values, hasServer: true } })).toEqual({
      ...others,
      ...said,
    })
  })
})
