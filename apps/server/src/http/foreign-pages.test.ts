import { describe, expect, it } from 'vitest'
import { foreignPages } from './foreign-pages.js'

const isForeign = foreignPages({
  publicUrl: 'https://demo.example/',
  allowedOrigins: ['https://partner.example'],
})
const sent = (headers: Record<string, string>, method = 'GET') => ({
  method,
  headers: { host: 'demo.example', ...headers },
})
const EVIL = { origin: 'https://evil.example' }
const CROSS = { 'sec-fetch-site': 'cross-site' }
const SIBLING = { 'sec-fetch-site': 'same-site' }
const OPENED = { ...CROSS, 'sec-fetch-dest': 'document' }

describe('a request is of a foreign page', () => {
  it.each<[string, Record<string, string>]>([
    ['that shows a picture of ours', { ...CROSS, 'sec-fetch-dest': 'image' }],
    ['that reads the wire', { ...CROSS, ...EVIL, 'sec-fetch-dest': 'empty' }],
    ['whose browser says no more than its origin, as for a WebSocket', EVIL],
    ['that hides its origin', { origin: 'null' }],
    ['that hides its origin and says that it is another site', { ...CROSS, origin: 'null' }],
    ['that has a page of ours loaded ahead', { ...OPENED, 'sec-purpose': 'prefetch' }],
    ['that leaves for a page of ours, and nobody clicked', OPENED],
    [
      'that has a page of ours loaded ahead by rules, where the browser names no site',
      { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' },
    ],
    ['of another name of the same site', { ...SIBLING, 'sec-fetch-dest': 'image' }],
    ['of such a name that reads the wire', { ...SIBLING, ...EVIL, 'sec-fetch-dest': 'empty' }],
    ['that shows a page of ours in a frame', { ...CROSS, 'sec-fetch-dest': 'iframe' }],
    ['of the same host at another port', { origin: 'https://demo.example:8443' }],
  ])('%s', (_, headers) => {
    expect(isForeign(sent(headers))).toBe(true)
  })

  it.each<[string, Record<string, string>]>([
    ['nor is one of a program', {}],
    ['nor one of our own page', { 'sec-fetch-site': 'same-origin', origin: 'https://demo.example' }],
    ['nor a WebSocket of our own page', { origin: 'https://demo.example' }],
    [
      'nor one of a page from this server under another name',
      { host: 'a.example', origin: 'http://a.example' },
    ],
    ['nor one of a page that is allowed', { ...CROSS, origin: 'https://partner.example' }],
    ['nor a WebSocket of such a page', { origin: 'https://partner.example' }],
    ['nor a page that somebody opens by a link', { ...OPENED, 'sec-fetch-user': '?1' }],
    ['nor a page whose address is typed', { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }],
    ['nor a link of another name of the same site', { ...OPENED, ...SIBLING, 'sec-fetch-user': '?1' }],
    ['nor one of such a page that is allowed', { ...SIBLING, origin: 'https://partner.example' }],
    ['nor what our own page loads ahead', { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' }],
  ])('%s', (_, headers) => {
    expect(isForeign(sent(headers))).toBe(false)
  })
})

it('a form that another site sends is of a foreign page, also where somebody clicked', () => {
  expect(isForeign(sent({ ...OPENED, ...EVIL, 'sec-fetch-user': '?1' }, 'POST'))).toBe(true)
})
