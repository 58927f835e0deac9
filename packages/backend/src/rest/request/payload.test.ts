import { describe, expect, it, vi } from 'vitest'
import { readPayload } from './payload.js'

const read = (body: string, columns: string[] | null = null) =>
  readPayload(
    new Request('http://localhost', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    }),
    columns,
    { bytes: 1_000, values: 10 },
  )

describe('the rows of a body', () => {
  it.each([
    ['{"a":1}', { isArray: false, rows: 1, columns: ['a'] }],
    ['[{"a":1,"b":2},{"b":3,"a":4}]', { isArray: true, rows: 2, columns: ['a', 'b'] }],
    ['[]', { isArray: true, rows: 0, columns: [] }],
  ])('%s', async (json, payload) => {
    expect(await read(json)).toEqual({ json, ...payload })
  })

  it('may be of any keys where the columns are named', async () => {
    expect(await read('[{"a":1},{"b":2}]', ['a'])).toMatchObject({ columns: ['a'] })
  })

  it.each(['7', '[7]', '[[]]', 'null', '', '{', '[{"a":1},{"b":2}]', '[{"a":1},{"a":1,"b":2}]'])(
    '%j are refused',
    async (json) => {
      await expect(read(json)).rejects.toMatchObject({ code: 'PGRST102', status: 400 })
    },
  )

  it.each([
    ['bytes', JSON.stringify({ a: 'x'.repeat(1_000) })],
    ['rows', '[{"a":1},{"a":2},{"a":3},{"a":4},{"a":5}]'],
    ['values of a row', JSON.stringify({ a: [1, 2, 3, 4, 5, 6, 7, 8, 9] })],
  ])('are refused where there are too many %s, before they are parsed', async (_, json) => {
    const parse = vi.spyOn(JSON, 'parse')
    await expect(read(json)).rejects.toMatchObject({ code: 'PGRST102', status: 413 })
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
  })
})
