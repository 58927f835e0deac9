import { expect, it, vi } from 'vitest'
import { boundedJson } from './bounded-json.js'

const list = (values: number) => JSON.stringify(Array(values).fill(0))

it('reads what a server may send', () => {
  expect(boundedJson('{"text":"Hello."}')).toEqual({ text: 'Hello.' })
  expect(boundedJson(list(9_999))).toHaveLength(9_999)
  expect(boundedJson(list(20_000), 30_000)).toHaveLength(20_000)
})

it.each([
  ['more values than that', list(10_000)],
  ['deep nesting', `${'['.repeat(500)}${']'.repeat(500)}`],
])('does not even parse %s', (_, text) => {
  const parse = vi.spyOn(JSON, 'parse')
  expect(boundedJson(text)).toBeUndefined()
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})

it('is undefined for what is no JSON', () => {
  expect(boundedJson('{')).toBeUndefined()
})
