import { expect, it } from 'vitest'
import { jsonExcess, MOST_NESTING, shortJsonExcess } from './json-excess.js'

/** As `JSON.parse` hands them to its reviver. */
function valuesOf(text: string): number {
  let values = 0
  JSON.parse(text, (_, value: unknown) => {
    values += 1
    return value
  })
  return values
}

it.each([
  ['1'],
  [' "a,b" '],
  ['[]'],
  ['{ }'],
  ['[[],[ ],{}]'],
  ['[1,\n 2, [3], "[,,]", "\\"[,", "\\\\"]'],
  ['{"a": {"b": [true, null, {"c,": "d"}]}, "e": "{{"}'],
])('counts the values of %s as its parser makes them', async (text) => {
  const values = valuesOf(text)
  expect(await jsonExcess(text, { values })).toBeUndefined()
  expect(await jsonExcess(text, { values: values - 1 })).toBe('values')
  expect(shortJsonExcess(text, { values: values - 1 })).toBe('values')
})

it.each([
  ['[', ']'],
  ['{"a":', '}'],
])('counts levels of %s', async (open, close) => {
  const nested = (levels: number) => open.repeat(levels) + (open === '[' ? '' : '1') + close.repeat(levels)
  expect(await jsonExcess(nested(MOST_NESTING), {})).toBeUndefined()
  expect(await jsonExcess(nested(MOST_NESTING + 1), {})).toBe('nesting')
  expect(await jsonExcess(`[${`${nested(50)},`.repeat(5)}1]`, { nesting: 51 })).toBeUndefined()
  expect(await jsonExcess(`[${nested(50)}]`, { nesting: 50 })).toBe('nesting')
})

it('goes on over slices, inside of texts too, and gives others their turns', async () => {
  const text = JSON.stringify([`${'x\\"['.repeat(300_000)}`, 1, 2])
  let turns = 0
  let next = setImmediate(count)
  function count() {
    turns += 1
    next = setImmediate(count)
  }
  expect(await jsonExcess(text, { values: 4, nesting: 1 })).toBeUndefined()
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / 250_000))
  expect(await jsonExcess(text, { values: 3 })).toBe('values')
})

it('reads no further than the excess, whether or not it is JSON', async () => {
  expect(await jsonExcess('['.repeat(1_000_000), {})).toBe('nesting')
  expect(await jsonExcess(`[${'1,'.repeat(1_000_000)}`, { values: 10 })).toBe('values')
  expect(await jsonExcess(']]}}', {})).toBeUndefined()
  expect(await jsonExcess('', {})).toBeUndefined()
})
