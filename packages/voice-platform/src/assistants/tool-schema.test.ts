import { describe, expect, it } from 'vitest'
import { assistantTools, sessionTools, shownNumbers } from './tool-schema.js'

const transfer = (destinations: unknown, more: object = {}) => ({
  type: 'transferCall',
  destinations,
  ...more,
})
const issues = (tools: unknown) =>
  assistantTools.safeParse(tools).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ??
  []

describe('tools of an assistant', () => {
  it('are stored as they are, served or not', () => {
    const tools = [
      transfer([
        {
          type: 'number',
          number: '+12025550142',
          transferPlan: { mode: 'blind-transfer', sipVerb: 'refer' },
        },
      ]),
      transfer([{ type: 'number', number: '+12025550142', callerId: '{{phoneNumber.number}}' }]),
      transfer([
        { type: 'sip', sipUri: 'sip:a@b.example' },
        { type: 'assistant', assistantName: 'B' },
      ]),
      { type: 'dtmf' },
      { type: 'function', function: { name: 'x' }, server: { url: 'https://tools.example' } },
      { type: 'handoff', destinations: [{ type: 'dynamic' }] },
    ]
    expect(assistantTools.parse(tools)).toEqual(tools)
  })

  it.each([
    [[transfer([{ type: 'number', number: '0711 123' }])], '0.destinations.0.number must be a phone number'],
    [[transfer([{ type: 'number' }])], '0.destinations.0.number'],
    [[transfer([{ type: 'fax' }])], '0.destinations.0.type'],
    [
      [transfer([{ type: 'number', number: '+12025550142', extension: 'one' }])],
      '0.destinations.0.extension',
    ],
    [
      [transfer([{ type: 'number', number: '+12025550142', callerId: '{{customer.number}}' }])],
      '0.destinations.0.callerId must be one of your numbers',
    ],
    ...[
      { mode: 'warm-transfer-say-message', message: 'A caller.' },
      { mode: 'warm-transfer-say-summary' },
      { mode: 'blind-transfer-add-summary-to-sip-header' },
    ].map((transferPlan): [unknown[], string] => [
      [transfer([{ type: 'number', number: '+12025550142', transferPlan }])],
      '0.destinations.0.transferPlan.mode must be blind-transfer',
    ]),
    [
      [
        transfer([
          {
            type: 'number',
            number: '+12025550142',
            transferPlan: { mode: 'blind-transfer', holdAudioUrl: 'x' },
          },
        ]),
      ],
      'holdAudioUrl',
    ],
    [[transfer([], { function: { name: 'a b' } })], '0.function.name'],
    [[transfer(Array(21).fill({ type: 'number', number: '+12025550142' }))], '0.destinations'],
    [['dtmf'], '0 must be an object with a type'],
    [Array(101).fill({ type: 'dtmf' }), ''],
  ])('are refused where they cannot be served', (tools, message) => {
    expect(issues(tools)[0]).toContain(message)
  })
})

it('a session has the transfers to numbers and the keys, with what is said filled in', () => {
  const tools = [
    transfer(
      [
        { type: 'number', number: '+12025550142', message: 'One moment, {{name}}.', extension: '12w3' },
        { type: 'number', number: '+12025550143', message: { type: 'custom-message', content: 'Bye.' } },
        { type: 'sip', sipUri: 'sip:a@b.example' },
      ],
      { function: { name: 'sales', description: 'To sales.' } },
    ),
    transfer([{ type: 'sip', sipUri: 'sip:a@b.example' }]),
    { type: 'dtmf' },
    { type: 'dtmf', function: { name: 'sales' } },
    { type: 'endCall' },
  ]
  expect(sessionTools(tools, (text) => text.replace('{{name}}', 'Ada'))).toEqual([
    {
      type: 'transferCall',
      name: 'sales',
      description: 'To sales.',
      destinations: [
        { number: '+12025550142', message: 'One moment, Ada.', extension: '12w3' },
        { number: '+12025550143', message: 'Bye.' },
      ],
    },
    { type: 'dtmf', name: 'dtmf' },
    { type: 'endCall', name: 'endCall' },
  ])
})

it('a stored tool that is older than these checks transfers as it did', () => {
  const destination = { type: 'number', number: '+12025550142' }
  const [plan, callerId] = [{ mode: 'warm-transfer-say-message' }, '0711 123']
  const tools = [transfer([{ ...destination, transferPlan: plan, callerId }])]
  expect(sessionTools(tools, (text) => text)).toMatchObject([{ destinations: [{ number: '+12025550142' }] }])
})

it('the numbers that transfers show are those of their destinations', () => {
  const shown = { type: 'number', number: '+12025550142', callerId: '+12025550100' }
  const own = { type: 'number', number: '+12025550143', callerId: '{{phoneNumber.number}}' }
  expect(shownNumbers([transfer([shown, own]), { type: 'dtmf' }])).toEqual(['+12025550100'])
})
