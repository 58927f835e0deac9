import { expect, it } from 'vitest'
import { listedTexts } from './listed-texts.js'

async function read(json: string): Promise<unknown[]> {
  const values: unknown[] = []
  for await (const part of listedTexts(json, 'numbers')) values.push(...part)
  return values
}

it.each([
  ['{"numbers":[]}', []],
  [' {\n "numbers" : [ ]\n} \n', []],
  ['{"numbers":["+1", "+2",\n"+3"]}', ['+1', '+2', '+3']],
  ['{"numbers":["a]}"]}', ['a]}']],
  ['{"numbers":[1,null]}', [1, null]],
])('reads %j', async (json, values) => {
  expect(await read(json)).toEqual(values)
})

it.each([
  '',
  '[]',
  '{"phones":["+1"]}',
  '{"numbers":["+1"]',
  '{"numbers":["+1"],"more":1}',
  '{"numbers":["+1",]}',
  '{"numbers":["a,b"',
  '{"numbers":"+1"}',
  '{"numbers":[+1]}',
])('refuses %j', async (json) => {
  await expect(read(json)).rejects.toThrow(SyntaxError)
})

it('reads many texts in parts, between which others have their turn', async () => {
  const numbers = Array.from({ length: 100_000 }, (_, n) => `+1202${n}`)
  let [turns, parts, isRead] = [0, 0, false]
  const count = () => {
    turns += 1
    if (!isRead) setImmediate(count)
  }
  setImmediate(count)
  const values: unknown[] = []
  for await (const part of listedTexts(JSON.stringify({ numbers }, null, 1), 'numbers')) {
    values.push(...part)
    parts += 1
  }
  isRead = true
  expect(values).toEqual(numbers)
  expect(parts).toBeGreaterThan(4)
  expect(turns).toBeGreaterThanOrEqual(parts - 1)
})
