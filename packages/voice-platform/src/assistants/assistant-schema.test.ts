import { describe, expect, it } from 'vitest'
import { assistantOverrides, inlineAssistant, storedAssistant } from './assistant-schema.js'

const schemas = { inlineAssistant, assistantOverrides, storedAssistant }

describe.each(Object.entries(schemas))('%s', (_, schema) => {
  it.each<object>([
    { firstMessageMode: 'assistant-waits-for-user', firstMessageInterruptionsEnabled: true },
    { endCallMessage: 'x'.repeat(1_000), endCallPhrases: ['ok', 'y'.repeat(140)] },
    { keypadInputPlan: { enabled: true, timeoutSeconds: 0, delimiters: ['#', '*'] } },
    { keypadInputPlan: { enabled: true, timeoutSeconds: 10, delimiters: '' } },
    { clientMessages: ['transcript[transcriptType="final"]', 'hang', 'assistant.speechStarted'] },
    { startSpeakingPlan: { waitSeconds: 5, transcriptionEndpointingPlan: { onNumberSeconds: 3 } } },
    { startSpeakingPlan: { smartEndpointingPlan: { provider: 'livekit' } } },
    {
      startSpeakingPlan: {
        customEndpointingRules: [
          { type: 'customer', regex: '\\d', timeoutSeconds: 15 },
          { type: 'both', assistantRegex: 'a', customerRegex: 'b', timeoutSeconds: 0 },
        ],
      },
    },
    {
      stopSpeakingPlan: {
        numWords: 10,
        voiceSeconds: 0.5,
        backoffSeconds: 10,
        interruptionPhrases: ['stop'],
      },
    },
    { maxDurationSeconds: 43_200, silenceTimeoutSeconds: 3_600 },
    { backgroundSound: 'office' },
  ])('takes %j', (settings) => {
    expect(schema.safeParse(settings)).toMatchObject({ success: true })
  })

  it.each<[string, object]>([
    ['firstMessageMode', { firstMessageMode: 'nobody-speaks' }],
    ['firstMessageInterruptionsEnabled', { firstMessageInterruptionsEnabled: 'yes' }],
    ['endCallMessage', { endCallMessage: 'x'.repeat(1_001) }],
    ['endCallPhrases.0', { endCallPhrases: ['x'] }],
    ['endCallPhrases.1', { endCallPhrases: ['ok', 'y'.repeat(141)] }],
    ['keypadInputPlan.timeoutSeconds', { keypadInputPlan: { timeoutSeconds: 11 } }],
    ['keypadInputPlan.delimiters', { keypadInputPlan: { delimiters: '7' } }],
    ['keypadInputPlan', { keypadInputPlan: { delimiter: '#' } }],
    ['clientMessages.0', { clientMessages: ['everything'] }],
    ['startSpeakingPlan.waitSeconds', { startSpeakingPlan: { waitSeconds: 5.1 } }],
    [
      'startSpeakingPlan.transcriptionEndpointingPlan.onPunctuationSeconds',
      { startSpeakingPlan: { transcriptionEndpointingPlan: { onPunctuationSeconds: -1 } } },
    ],
    ['stopSpeakingPlan.numWords', { stopSpeakingPlan: { numWords: 11 } }],
    ['stopSpeakingPlan.voiceSeconds', { stopSpeakingPlan: { voiceSeconds: 0.6 } }],
    ['maxDurationSeconds', { maxDurationSeconds: 9 }],
    ['maxDurationSeconds', { maxDurationSeconds: 43_201 }],
    ['silenceTimeoutSeconds', { silenceTimeoutSeconds: 9 }],
    ['silenceTimeoutSeconds', { silenceTimeoutSeconds: 3_601 }],
    ['backgroundSound', { backgroundSound: 7 }],
  ])('refuses a wrong %s', (path, settings) => {
    const parsed = schema.safeParse(settings)
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
  })
})

describe('the values of a call', () => {
  const deep = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000))

  it.each<[string, Record<string, unknown>, boolean]>([
    ['20,000 characters', { name: 'x'.repeat(19_989) }, true],
    ['20,001 characters', { name: 'x'.repeat(19_990) }, false],
    ['many fields', Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`${n}`, 0])), false],
    ['many levels', { deep }, false],
  ])('are at most 20,000 characters of JSON: %s', (_, variableValues, success) => {
    const parsed = assistantOverrides.safeParse({ variableValues })
    const paths = parsed.error?.issues.map(({ path }) => path.join('.'))
    expect(paths).toEqual(success ? undefined : ['variableValues'])
  })
})
