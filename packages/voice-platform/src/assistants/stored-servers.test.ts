import { expect, it } from 'vitest'
import { askedServer } from './server-schema.js'
import { StoredServers, shownServer } from './stored-servers.js'

const servers = new StoredServers(Buffer.alloc(32, 7))
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

it('goes on without secrets that were sealed with another key', () => {
  const other = new StoredServers(Buffer.alloc(32, 8))
  const before = other.stored(WHOLE)
  expect(() => servers.opened(before)).toThrow('another key')
  expect(servers.stored({ url: URL }, before)).toEqual({ url: URL })
  expect(servers.opened(servers.stored({ url: URL, secret: 'new' }, before))).toEqual({
    ...{ url: URL, secret: 'new' },
  })
  const inCall = other.inCall(before) ?? {}
  expect(servers.openedInCall(inCall)).toEqual(inCall)
})

it('stays sealed in the assistant of a call, and is opened there', () => {
  const inCall = servers.inCall(servers.stored(WHOLE)) ?? {}
  expect(JSON.stringify(inCall)).not.toContain('hush')
  expect(inCall).toEqual({ url: URL, timeoutSeconds: 5, sealedSecrets: expect.any(String) })
  expect(servers.openedInCall(inCall)).toMatchObject(WHOLE)
  expect(servers.openedInCall({ url: URL })).toEqual({ url: URL })
  expect(servers.inCall(undefined)).toBeUndefined()
})

it('refuses secrets where there is no key, and addresses that are none', () => {
  expect(() => new StoredServers().stored(WHOLE)).toThrow('no key')
  expect(new StoredServers().stored({ url: URL })).toEqual({ url: URL })
  for (const server of [
    {},
    { url: 'ftp://a.example/' },
    { url: 'https://u:p@a.example/' },
    { url: URL, credentialId: 'x' },
  ])
    expect(askedServer.safeParse(server).success).toBe(false)
})
