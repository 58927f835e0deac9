import { expect, it } from 'vitest'
import { answerVariables } from './answer-variables.js'

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    degrees: { type: 'number', target: 'temperature' },
    station: {
      type: 'object',
      properties: { name: { type: 'string', target: 'stationName' }, id: { type: 'string' } },
    },
  },
}

it('takes each property that fits, by its name or its target', () => {
  const answer = { city: 'Oslo', degrees: 7, station: { name: 'Blindern', id: 'x1' }, secret: 'no' }
  expect(answerVariables(SCHEMA, JSON.stringify(answer))).toEqual({
    city: 'Oslo',
    temperature: 7,
    station: { name: 'Blindern', id: 'x1' },
    stationName: 'Blindern',
  })
})

it.each([
  ['another type', '{"city": 5, "degrees": "warm"}'],
  ['no JSON', 'It rains.'],
  ['a list', '[{"city": "Oslo"}]'.replace(/[{}]/g, '')],
  ['a value that is too long', JSON.stringify({ city: 'x'.repeat(5_000) })],
  ['inherited names', '{"other": 1}'],
])('leaves out %s', (_, answer) => {
  expect(answerVariables({ properties: { ...SCHEMA.properties, constructor: {} } }, answer)).toEqual({})
})
