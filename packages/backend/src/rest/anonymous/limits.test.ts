import { describe, expect, it } from 'vitest'
import type { Role } from '../../keys/caller.js'
import { parseRestRequest } from '../request/rest-request.js'
import { checkAnonymous, checkUrl, isAnonymous, sizesOf } from './limits.js'

async function check(query: string, init: RequestInit = {}): Promise<void> {
  const request = new Request(`http://localhost/rest/v1/visitors?${query}`, init)
  checkUrl(request.url)
  checkAnonymous(await parseRestRequest(request, '/visitors', sizesOf('anon').body))
}

const times = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join(',')

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

describe('a request without the secret key', () => {
  it.each([
    ['the page’s list', 'select=slug,name'],
    ['the page’s lookup', 'select=*&slug=eq.default'],
    ['the page’s lookup without case', 'select=*&slug=ilike.a\\_b'],
    [
      'every cheap operator',
      'a=neq.1&b=gt.1&c=in.(1,2)&d=is.null&e=cs.{x}&f=like(any).{a*,b}&g=isdistinct.1&order=a,b,c,d,e',
    ],
    ['all columns, and one by another name', 'select=*,title:name'],
    ['many paths into one column', `select=${times(100, (index) => `data->k${index}`)}`],
    ['a long list', `id=in.(${times(500, String)})`],
    ['a value with many commas', `data=cs.[${times(1_000, () => '1')}]`],
    ['a tree', `or=(${times(50, (index) => `id.eq.${index}`)})`],
  ])('may ask for %s', async (_, query) => {
    await expect(check(query)).resolves.toBeUndefined()
  })

  it.each([
    ['a regular expression', 'name=match.^a', 'PGRST127'],
    ['one without case', 'name=imatch.^a', 'PGRST127'],
    ['one that looks ahead', 'name=match.(?=a*a*a*b)', 'PGRST127'],
    ['one of a list', 'name=not.match(any).{^a,^b}', 'PGRST127'],
    ['one in a tree', 'or=(id.eq.1,not.and(id.eq.2,name.imatch.^a))', 'PGRST127'],
    ['a column twice', 'select=id,system,id', '42701'],
    ['a column under many names', `select=${times(50, (index) => `a${index}:system`)}`, '42701'],
    ['a column as two types', 'select=id,text:id::text', '42701'],
    ['a path twice', 'select=data->a,b:data->a', '42701'],
    ['all columns twice', 'select=*,*', '42701'],
    ['more columns than any table needs', `select=${times(101, (index) => `c${index}`)}`, '54011'],
    ['many conditions', `or=(${times(51, (index) => `id.eq.${index}`)})`, '54001'],
    ['many conditions in many trees', Array(26).fill('or=(id.eq.1,id.eq.2)').join('&'), '54001'],
    ['an order by many columns', `order=${times(6, (index) => `c${index}`)}`, '54001'],
    ['a list of many patterns', `name=ilike(any).{${times(51, () => 'a')}}`, '54001'],
    ['many steps into JSON', `select=${times(11, (index) => `data->k${index}${'->a'.repeat(9)}`)}`, '54001'],
    ['a very long list', `id=in.(${times(501, String)})`, '54001'],
    ['lists that are long together', `id=in.(${times(300, String)})&n=in.(${times(300, String)})`, '54001'],
    ['a long pattern', `name=like.${'*a'.repeat(251)}`, '54001'],
    [
      'patterns that are long together',
      Array(6)
        .fill(`name=ilike.${'a'.repeat(100)}`)
        .join('&'),
      '54001',
    ],
    ['a long value', `data=cs.[${times(2000, String)}]`, '54001'],
  ])('may not ask for %s', async (_, query, code) => {
    await expect(check(query)).rejects.toMatchObject({ code, status: 400 })
  })

  it.each([
    ['conditions', `or=(${times(701, (index) => `id.eq.${index}`)})`],
    ['values', `id=not.in.(${times(701, String)})`],
    ['columns', `select=${times(701, (index) => `c${index}`)}`],
    ['columns in order', `order=${times(701, (index) => `c${index}`)}`],
    ['parameters', times(701, (index) => `c${index}=eq.1`).replaceAll(',', '&')],
  ])('may not name hundreds of %s, which are not even read', async (_, query) => {
    const url = `http://localhost/rest/v1/visitors?${query}`
    expect(() => checkUrl(url)).toThrow(expect.objectContaining({ code: '54001', status: 400 }))
    await expect(check(query)).rejects.toMatchObject({ details: expect.stringContaining('in an address') })
  })

  it('may write few rows with few columns', async () => {
    const row = (columns: number) =>
      Object.fromEntries(Array.from({ length: columns }, (_, index) => [`c${index}`, 1]))
    await expect(check('', post(Array(100).fill({ id: 1 })))).resolves.toBeUndefined()
    await expect(check('', post(Array(101).fill({ id: 1 })))).rejects.toMatchObject({ code: '54001' })
    await expect(check('', post(row(100)))).resolves.toBeUndefined()
    await expect(check('', post(row(101)))).rejects.toMatchObject({ code: '54011' })
    await expect(check('', post({ name: 'x'.repeat(100_000) }))).rejects.toMatchObject({ status: 413 })
  })
})

it('is one with a token of a signed-in user, too', () => {
  const roles: Role[] = ['anon', 'authenticated', 'service_role']
  expect(roles.map(isAnonymous)).toEqual([true, true, false])
})
