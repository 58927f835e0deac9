import { describe, expect, it } from 'vitest'
import type { CallRow, ListedCallRow } from './call-row.js'
import { callView, outlineOf } from './call-view.js'
import { listedCall, listedOutline } from './listed-call.js'

const AT = new Date('2026-11-20T10:00:00Z')
const SAID = [
  { role: 'bot', message: 'Hello, "you".', time: 1, secondsFromStart: 0 },
  { role: 'user', message: 'Is there bread?', time: 5, secondsFromStart: 4 },
]

const row = (changes: Partial<ListedCallRow> = {}): ListedCallRow => ({
  ...{ id: 'a-call', org_id: 'an-org', type: 'webCall', status: 'ended', ended_reason: 'silence-timed-out' },
  ...{ name: null, assistant_id: null, assistant_given: { firstMessage: 'Hello.' }, overrides: null },
  ...{ squad_id: null, workflow_id: null, script: null, activations: null, variables: null },
  ...{ phone_number_id: null, customer: { number: '+14155550100' }, assistant: {}, carrier: null },
  ...{ carrier_call_id: null, messages: JSON.stringify(SAID, null, 1), transcript: 'AI: Hello, "you".' },
  ...{ performance: { turns: [{ turnLatency: 800 }] }, analysis: { summary: 'Somebody asked for bread.' } },
  ...{ costs: null, forwarded_to: null, started_at: AT, ended_at: AT, created_at: AT, updated_at: AT },
  ...changes,
})
const whole = (listed: ListedCallRow): CallRow => ({ ...listed, messages: JSON.parse(listed.messages) })

describe('a call in a list', () => {
  it.each<[string, Partial<ListedCallRow>]>([
    ['ended', {}],
    ['ended without a word', { messages: '[]', transcript: null, performance: null, ended_reason: null }],
    ['going on', { status: 'in-progress', ended_at: null, ended_reason: null }],
    ['queued', { status: 'queued', messages: '[]', transcript: null, started_at: null }],
    [
      'in a workflow',
      {
        activations: [
          { assistantName: 'Greeter', node: 'greet', time: 0 },
          { assistantName: 'Baker', node: 'bake', time: 3, variables: { bread: 'rye' } },
        ],
        variables: { bread: 'rye' },
      },
    ],
  ])('that is %s is the one that is read alone', (_, changes) => {
    const listed = row(changes)
    expect(JSON.parse(listedCall(listed, callView))).toEqual(
      JSON.parse(JSON.stringify(callView(whole(listed)))),
    )
  })

  it('has no secrets of tools in the overrides of its customer, and its outline none of these', () => {
    const tool = {
      ...{ type: 'apiRequest' as const, method: 'GET' as const, url: 'https://a.example/' },
      ...{
        sealedSecrets: 'v1.hush',
        headers: { type: 'object' as const, properties: { a: { type: 'string' as const, value: 'hush' } } },
      },
    }
    const customer = {
      number: '+14155550100',
      assistantOverrides: { model: { provider: 'openai', tools: [tool] }, variableValues: { who: 'May' } },
    }
    const shown = JSON.parse(listedCall(row({ customer }), callView))
    expect(shown.customer).toEqual({
      number: '+14155550100',
      assistantOverrides: {
        model: {
          provider: 'openai',
          tools: [
            { type: 'apiRequest', method: 'GET', url: 'https://a.example/', headers: { type: 'object' } },
          ],
        },
        variableValues: { who: 'May' },
      },
    })
    expect(JSON.parse(listedOutline(row({ customer }))).customer).toEqual({ number: '+14155550100' })
  })

  it('without its large fields is the outline of the one that is read alone', () => {
    expect(JSON.parse(listedOutline({ ...row(), messages: '[]' }))).toEqual(
      JSON.parse(JSON.stringify(outlineOf(callView(whole(row()))))),
    )
  })
})
