import { describe, expect, it } from 'vitest'
import { parseAddressCall, readBodyCall } from './call.js'

describe('a call by its address', () => {
  const parse = (query: string) => parseAddressCall(new URLSearchParams(query))

  it('takes for arguments what is no filter', () => {
    const { args, filters } = parse(
      'a=1.5&b=&c=eq&d={1,2}&a=2&e=gt.1&or=(f.eq.1)&g=not.in.(1)&select=a&limit=1',
    )
    expect(args).toEqual({
      from: 'address',
      values: new Map([
        ['a', '2'],
        ['b', ''],
        ['c', 'eq'],
        ['d', '{1,2}'],
      ]),
    })
    expect(filters).toMatchObject([{ field: { column: 'e' } }, { logic: 'or' }, { field: { column: 'g' } }])
  })
})

describe('a call by its body', () => {
  const read = (body: string | null, columns: string[] | null = null) =>
    readBodyCall(
      new Request('http://localhost', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      }),
      columns,
      { bytes: 1_000, values: 10 },
    )

  it.each([
    [null, ['{}', []]],
    ['{"a":1,"b":null}', ['{"a":1,"b":null}', ['a', 'b']]],
    ['[1]', ['[1]', null]],
    ['null', ['null', null]],
    ['"x"', ['"x"', null]],
  ])('%j', async (body, [json, names]) => {
    expect(await read(body)).toEqual({ from: 'body', json, names })
  })

  it('takes the keys that are named', async () => {
    expect(await read('{"a":1,"b":2}', ['a'])).toMatchObject({ names: ['a'] })
  })

  it('refuses what is no JSON', async () => {
    await expect(read('{')).rejects.toMatchObject({ code: 'PGRST102' })
  })
})
