import { describe, expect, it } from 'vitest'
import { storedAssistant } from './assistant-schema.js'
import { sessionAssistant } from './session-assistant.js'

const withRules = (customEndpointingRules: unknown) => ({ startSpeakingPlan: { customEndpointingRules } })
const rule = (regex: string) => ({ type: 'customer', regex, timeoutSeconds: 1 })
const problemOf = (rules: unknown) => storedAssistant.safeParse(withRules(rules)).error?.issues[0]?.message

describe('customEndpointingRules', () => {
  it('takes the three types, with their options', () => {
    const rules = [
      {
        type: 'assistant',
        regex: 'number',
        regexOptions: [{ type: 'ignore-case', enabled: true }],
        timeoutSeconds: 3,
      },
      { type: 'customer', regex: '\\d$', timeoutSeconds: 2 },
      { type: 'both', assistantRegex: 'name', customerRegex: 'is$', timeoutSeconds: 4 },
    ]
    const { startSpeakingPlan } = storedAssistant.parse(withRules(rules))
    const session = sessionAssistant({ startSpeakingPlan }, { values: {}, now: new Date() })
    const found = session.startSpeaking?.rules?.map(({ assistant, customer, timeoutSeconds }) => [
      assistant?.isIn('Your NUMBER or name?'),
      customer?.isIn('it is'),
      timeoutSeconds,
    ])
    expect(found).toEqual([
      [true, undefined, 3],
      [undefined, false, 2],
      [true, true, 4],
    ])
  })

  it.each(['(', '(?<=a)b', '(a)\\1'])('refuses %s, and says why', (regex) => {
    expect(problemOf([rule('fine'), rule(regex)])).toMatch(/rule 1 has no regular expression that is served/)
  })

  it('refuses more than can be searched for between two words', () => {
    expect(problemOf(Array.from({ length: 100 }, () => rule('yes|no|maybe')))).toBeUndefined()
    expect(problemOf(Array.from({ length: 4 }, () => rule('(?:.{900})*x')))).toMatch(/too large together/)
  })
})

describe('smart endpointing', () => {
  it.each([
    [{ smartEndpointingEnabled: true }, true],
    [{ smartEndpointingEnabled: 'livekit' as const }, true],
    [{ smartEndpointingEnabled: false }, undefined],
    [{ smartEndpointingPlan: { provider: 'vapi' as const } }, true],
    [{ smartEndpointingPlan: { provider: 'livekit' as const }, smartEndpointingEnabled: false }, true],
    [{ smartEndpointingPlan: { provider: 'custom-endpointing-model' as const } }, undefined],
    [{}, undefined],
  ])('%j reads words: %s', (startSpeakingPlan, readsWords) => {
    const session = sessionAssistant({ startSpeakingPlan }, { values: {}, now: new Date() })
    expect(session.startSpeaking?.readsWords).toBe(readsWords)
  })
})
