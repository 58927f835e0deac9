import { expect, it } from 'vitest'
import { NumberServers, numberServer, shownServer } from './number-server.js'

const servers = new NumberServers(Buffer.alloc(32, 7))
const URL = 'https://answers.example/calls'
const WHOLE = { url: URL, secret: 'hush', headers: { authorization: 'Bearer hush' }, timeoutSeconds: 5 }

it('seals what is secret, opens it again, and shows none of it', () => {
  const stored = servers.stored(WHOLE)
  expect(JSON.stringify(stored)).not.toContain('hush')
  expect(servers.opened(stored)).toEqual(WHOLE)
  expect(shownServer(stored)).toEqual({ url: URL, timeoutSeconds: 5 })
  expect(shownServer(null)).toBeUndefined()
  expect(servers.opened(undefined)).toBeUndefined()
})

it('keeps its secrets at the same address alone', () => {
  const before = servers.stored(WHOLE)
  expect(servers.opened(servers.stored({ url: URL, secret: 'new' }, before))).toEqual({
    ...{ url: URL, secret: 'new', headers: WHOLE.headers },
  })
  expect(servers.opened(servers.stored({ url: 'https://elsewhere.example/' }, before))).toEqual({
    url: 'https://elsewhere.example/',
  })
})

it('refuses secrets where there is no key, and addresses that are none', () => {
  expect(() => new NumberServers().stored(WHOLE)).toThrow('no key')
  expect(new NumberServers().stored({ url: URL })).toEqual({ url: URL })
  for (const server of [
    {},
    { url: 'ftp://a.example/' },
    { url: 'https://u:p@a.example/' },
    { url: URL, credentialId: 'x' },
  ])
    expect(numberServer.safeParse(server).success).toBe(false)
})
