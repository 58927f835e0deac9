import { expect, it } from 'vitest'
import { isPageRead } from './visitor-reads.js'

it.each([
  ['?select=*&slug=eq.acme', true],
  ['?select=slug,name&slug=eq.acme', true],
  ['?select=*&slug=ilike.acme%5C_inc', true],
  ['?select=slug,name', true],
  ['', false],
  ['?select=*&slug=ilike.a%25', false],
  ['?select=slug&or=(name.ilike.*a*,slug.not.is.null)', false],
  ['?select=slug,name&order=name', false],
  ['?select=slug,name&limit=nothing', false],
  ['?select=(', false],
])('knows the reads of the page by their address: %s', async (query, expected) => {
  const request = new Request(`http://localhost/rest/v1/visitors${query}`)
  expect(await isPageRead(request, '/visitors')).toBe(expected)
})

it('is no write, and no function', async () => {
  const address = 'http://localhost/rest/v1/visitors?select=slug,name'
  expect(await isPageRead(new Request(address, { method: 'POST', body: '{}' }), '/visitors')).toBe(false)
  expect(await isPageRead(new Request(address), '/rpc/visitors')).toBe(false)
})
