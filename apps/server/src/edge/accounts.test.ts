import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { foreignPages } from '../http/foreign-pages.js'
import { type Account, Accounts } from './accounts.js'

const READER = '203.0.113.7'
let accounts: Accounts
beforeEach(() => {
  accounts = new Accounts({
    isForeign: foreignPages({ publicUrl: 'https://demo.example' }),
    isExempt: () => false,
  })
})

function accountOf(headers: Record<string, string> = {}): Account {
  const request = new IncomingMessage(new Socket())
  request.method = 'GET'
  Object.assign(request.headers, headers)
  return accounts.of(request)
}
const PICTURE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }
const SENT = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }

/** How many of two hundred are let in. */
const taken = (shares: Account['requests'], from = () => READER) =>
  Array.from({ length: 200 }, () => shares.take(from())).filter(Boolean).length

describe('what foreign pages have from an address', () => {
  it.each([
    ['requests', 50],
    ['sockets', 10],
    ['handshakes', 120],
  ] as const)('are so many %s, and all of its own are left: %i', (kind, most) => {
    expect(taken(accountOf(PICTURE)[kind])).toBe(most)
    expect(taken(accountOf()[kind])).toBe(kind === 'handshakes' ? 120 : 100)
  })

  it('is bounded for a network, too', () => {
    let last = 0
    expect(taken(accountOf(PICTURE).sockets, () => `203.0.113.${last++ % 250}`)).toBe(50)
  })
})

it('has one share for the requests and the WebSockets of people', () => {
  expect(taken(accountOf().sockets)).toBe(100)
  expect(accountOf().requests.take(READER)).toBeUndefined()
})

it.each([
  ['a foreign page', PICTURE],
  ['a page that leaves for ours again and again', SENT],
])('does not bar the reader of %s, but that', (_, headers) => {
  for (let left = 0; left < 50; left++) accountOf(headers).leavers.cut(READER)
  expect(accountOf(headers).leavers.isBarred(READER)).toBe(true)
  expect(accountOf().leavers.isBarred(READER)).toBe(false)
  expect(accountOf({ ...SENT, 'sec-fetch-user': '?1' }).leavers.isBarred(READER)).toBe(false)
})

it('lets everybody begin WebSockets again in the next minute', () => {
  taken(accountOf(PICTURE).handshakes)
  taken(accountOf().handshakes)
  accounts.clearHandshakes()
  for (const headers of [PICTURE, {}]) expect(accountOf(headers).handshakes.take(READER)).toBeDefined()
})
