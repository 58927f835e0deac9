import { once } from 'node:events'
import { createServer, request as httpRequest, IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { ClientAddresses } from './client-addresses.js'
import { listen } from './listening.js'

/** What a server behind so many proxies takes for the client's address, and what it logged. */
async function addressesOf(trustProxy: number | undefined, asked: Record<string, string | string[]>[]) {
  const logged: string[] = []
  const logger = pino({ base: undefined }, { write: (line: string) => void logged.push(line) })
  const clients = new ClientAddresses({ trustProxy, logger })
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.all('*', (context) => {
    clients.keep(context.req.raw, context.env.incoming)
    return context.json(clients.of(context.req.raw) ?? null)
  })
  const server = createServer(getRequestListener(app.fetch))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const addresses: unknown[] = []
    for (const headers of asked)
      addresses.push(
        await new Promise((resolve, reject) => {
          httpRequest({ port, host: '127.0.0.1', headers }, async (answer) => {
            resolve(JSON.parse((await answer.setEncoding('utf8').toArray()).join('')))
          })
            .on('error', reject)
            .end()
        }),
      )
    return { addresses, logged }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const addressOf = async (trustProxy: number | undefined, forwarded: string | string[]) =>
  (await addressesOf(trustProxy, [{ 'x-forwarded-for': forwarded }])).addresses[0]

describe('the address of a client', () => {
  it('is that of the socket, whatever a header says, while no proxy is trusted', async () => {
    for (const trustProxy of [undefined, 0]) {
      const { addresses } = await addressesOf(trustProxy, [
        {},
        { 'x-forwarded-for': '203.0.113.7' },
        { forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7' },
      ])
      expect(addresses).toEqual(Array(3).fill('127.0.0.1'))
    }
  })

  it('is that many from the right, where made up ones stand further left', async () => {
    const told = '10.0.0.1, 198.51.100.9,203.0.113.7 , 192.0.2.1'
    expect(await addressOf(1, told)).toBe('192.0.2.1')
    expect(await addressOf(2, told)).toBe('203.0.113.7')
    expect(await addressOf(3, told)).toBe('198.51.100.9')
    expect(await addressOf(2, ['198.51.100.9', '203.0.113.7, 192.0.2.1'])).toBe('203.0.113.7')
  })

  it('is what the last proxy saw, for a client that came past the outer ones', async () => {
    expect(await addressOf(2, '203.0.113.7')).toBe('203.0.113.7')
    expect((await addressesOf(2, [{}])).addresses).toEqual(['127.0.0.1'])
  })

  it.each([
    ['203.0.113.7:4711', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['fe80::7%eth0', 'fe80::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['unknown', '127.0.0.1'],
    ['203.0.113.700', '127.0.0.1'],
  ])('is read from %s', async (told, address) => {
    expect(await addressOf(1, `198.51.100.9, ${told}`)).toBe(address)
  })
})

describe('the address of a client that resets its connection after its request', () => {
  /** What is known of a client whose socket was gone before its request was looked at. */
  async function addressOfReset(trustProxy: number, headers: string) {
    const clients = new ClientAddresses({ trustProxy, logger: pino({ level: 'silent' }) })
    const listening = await listen(0, '127.0.0.1')
    try {
      const connected = once(listening.server, 'connection')
      const arrived = once(listening.server, 'request')
      const client = connect({ port: listening.port, host: '127.0.0.1' })
      client.write(`POST / HTTP/1.1\r\nhost: x\r\n${headers}content-length: 2\r\n\r\n{}`)
      const [socket] = await connected
      await arrived
      const gone = new Promise((resolve) => socket.once('close', resolve))
      client.resetAndDestroy()
      await gone
      return await new Promise((resolve) => {
        const answer = getRequestListener((request, { incoming }) => {
          if (incoming instanceof IncomingMessage) clients.keep(request, incoming)
          resolve({ address: clients.of(request) })
          return new Response()
        })
        listening.serve(answer)
      })
    } finally {
      await listening.close()
    }
  }

  it.each([
    [0, '', '127.0.0.1'],
    [1, '', '127.0.0.1'],
    [2, 'x-forwarded-for: 203.0.113.7\r\n', '203.0.113.7'],
    [1, 'x-forwarded-for: unknown\r\n', '127.0.0.1'],
  ])('is known behind %i proxies that say %j', async (trustProxy, headers, address) => {
    expect(await addressOfReset(trustProxy, headers)).toEqual({ address })
  })
})

it('warns once where requests come through a proxy and nobody has said so', async () => {
  const proxied = { 'x-forwarded-for': '203.0.113.7' }
  const { logged } = await addressesOf(undefined, [{}, proxied, proxied])
  expect(logged).toHaveLength(1)
  expect(logged[0]).toContain('TRUST_PROXY')
  expect(logged[0]).not.toContain('203.0.113.7')
  for (const said of [0, 1]) expect((await addressesOf(said, [proxied])).logged).toEqual([])
})
