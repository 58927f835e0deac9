import { expect, it } from 'vitest'
import { functionOutcome } from './function-answer.js'

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

const outcomeOf = (text: string) => functionOutcome({ status: 200, text }, 'a')

it('takes a result of some depth, as JSON', () => {
  const text = `{"results": [{"toolCallId": "a", "result": ${nested(20)}}]}`
  expect(outcomeOf(text)).toEqual({ result: nested(20) })
})

it.each([
  ['a result', `{"results": [{"toolCallId": "a", "result": ${nested(40_000)}}]}`],
  ['an error', `{"error": ${nested(40_000)}}`],
  ['what is no JSON', '{'],
])('refuses %s that nobody could write down, in words', (_, text) => {
  expect(outcomeOf(text)).toEqual({ error: 'The answer of the tool’s server is not what a tool answers.' })
})
