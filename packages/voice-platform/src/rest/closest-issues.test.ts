import { expect, it } from 'vitest'
import { z } from 'zod'
import { queryAnalytics } from '../analytics/analytics-query.js'
import { storedTools } from '../assistants/tool-schema.js'
import { chatInput } from '../chats/chat-message.js'
import { issueTexts } from './parse-request.js'

const textsOf = (schema: z.ZodType, input: unknown) => issueTexts(schema.safeParse(input).error?.issues ?? [])

it.each([
  [5, 'input must be a string or an array'],
  ['x'.repeat(10_001), 'input must be shorter than or equal to 10000 characters'],
  [[], 'input must not be less than 1'],
  [
    [{ role: 'bogus', content: 'x' }],
    'input.0.role must be one of the following values: user, system, assistant, tool, developer',
  ],
  [
    [
      { role: 'user', content: 'x' },
      { role: 'tool', content: 'x' },
    ],
    'input.1.tool_call_id must be a string',
  ],
  [[{ role: 'user' }], 'input.0 must have either content or message'],
])('a chat’s input is refused by the branch that fits: %j', (input, text) => {
  expect(textsOf(z.strictObject({ input: chatInput }), { input })).toEqual([text])
})

const GROUPS =
  'one of the following values: type, assistantId, endedReason, analysis.successEvaluation, status'

it.each([
  ['phoneNumberId', `queries.0.groupBy must be ${GROUPS}`],
  [['phoneNumberId'], `queries.0.groupBy.0 must be ${GROUPS}`],
  [5, 'queries.0.groupBy must be an array or a string'],
])('a group of analytics is refused in words: %j', (groupBy, text) => {
  const query = { table: 'call', name: 'x', operations: [{ operation: 'count', column: 'id' }], groupBy }
  expect(textsOf(queryAnalytics, { queries: [query] })).toEqual([text])
})

it.each([
  [{ type: 'function', bogus: 1 }, 'function must be an object'],
  [
    { type: 'transferCall', destinations: [{ type: 'number', number: '1', transferPlan: { mode: 'x' } }] },
    'destinations.0.number must be a phone number in the E.164 format',
  ],
  [
    { type: 'transferCall', destinations: [{ type: 'fax' }] },
    'destinations.0.type must be one of the following values: number, sip, assistant',
  ],
])('a tool is refused in words: %j', (tool, text) => {
  expect(textsOf(storedTools, tool)).toContain(text)
})

it('a great many wrong things are told in twenty texts', () => {
  const wrong = Array.from({ length: 200_000 }, () => 5)
  const texts = textsOf(z.union([z.string(), z.array(z.string())]), wrong)
  expect(texts).toHaveLength(20)
  expect(texts[0]).toBe('0 must be a string')
})

it('a kind is known by its field with one value, and a value of no branch by all that are taken', () => {
  const kinds = z.union([
    z.strictObject({ kind: z.literal('a'), size: z.number() }),
    z.strictObject({ kind: z.literal('b'), name: z.string(), colour: z.string() }),
  ])
  expect(textsOf(kinds, { kind: 'b' })).toEqual(['name must be a string', 'colour must be a string'])
  const delimiters = z.union([z.enum(['#', '*']), z.array(z.enum(['#', '*']))])
  expect(textsOf(z.object({ delimiters }), { delimiters: 'x' })).toEqual([
    'delimiters must be an array or one of the following values: #, *',
  ])
})

it('a schema’s own words are told, whatever is wrong', () => {
  const role = z.literal('user', { error: 'must be user: a page says nothing else' })
  const input = z.union([z.string(), z.array(z.strictObject({ role }))])
  expect(textsOf(z.object({ input }), { input: [{ role: 'system' }] })).toEqual([
    'input.0.role must be user: a page says nothing else',
  ])
})
