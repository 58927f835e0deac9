import { describe, expect, it } from 'vitest'
import { modelTools, type SessionTool, toolUse } from './session-tool.js'

const TOOLS: SessionTool[] = [
  {
    type: 'transferCall',
    name: 'transferCall',
    destinations: [
      { number: '+12025550142', description: 'Sales' },
      { number: '+12025550143', message: '' },
    ],
  },
  {
    type: 'transferCall',
    name: 'boss',
    description: 'To the boss.',
    destinations: [{ number: '+12025550144' }],
  },
  { type: 'dtmf', name: 'keys' },
]
const use = (name: string, args: Record<string, unknown> = {}) => toolUse(TOOLS, { name, arguments: args })

it('a model reads what it may do, and each destination', () => {
  expect(modelTools(TOOLS)).toEqual([
    {
      name: 'transferCall',
      description:
        'Transfers the call to somebody else, if the caller asks for that.\nDestinations:\n+12025550142: Sales\n+12025550143',
      parameters: {
        type: 'object',
        properties: { destination: { type: 'string', enum: ['+12025550142', '+12025550143'] } },
        required: ['destination'],
      },
    },
    expect.objectContaining({ name: 'boss', description: 'To the boss.\nDestinations:\n+12025550144' }),
    expect.objectContaining({
      name: 'keys',
      parameters: expect.objectContaining({ required: ['dtmf'] }),
    }),
  ])
})

describe('a transfer', () => {
  it('goes to a destination of the tool', () => {
    expect(use('transferCall', { destination: '+12025550143' })).toEqual({
      type: 'transfer',
      destination: { number: '+12025550143', message: '' },
    })
    expect(use('boss')).toEqual({ type: 'transfer', destination: { number: '+12025550144' } })
  })

  it.each([
    ['transferCall', { destination: '+19005550000' }],
    ['transferCall', { destination: '+12025550144' }],
    ['transferCall', { destination: ['+12025550142'] }],
    ['transferCall', {}],
    ['boss', { destination: '+19005550000' }],
    ['constructor', {}],
  ])('%s %j goes nowhere', (name, args) => {
    expect(use(name, args).type).toBe('refused')
  })
})

describe('keys', () => {
  it('are pressed as they are', () => {
    expect(use('keys', { dtmf: '12#A' })).toEqual({ type: 'dtmf', keys: '12#A' })
    expect(use('keys', { dtmf: 5 })).toEqual({ type: 'dtmf', keys: '5' })
  })

  it.each([[''], ['1 2'], ['x'], ['1'.repeat(33)], [undefined]])('%j are not', (dtmf) => {
    expect(use('keys', { dtmf }).type).toBe('refused')
  })
})
