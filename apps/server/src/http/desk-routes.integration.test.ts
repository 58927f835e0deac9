import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { allowOrigins } from './allowed-origins.js'
import { ClientAddresses } from './client-addresses.js'
import { deskRoutes } from './desk-routes.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A desk whose streams say one thing and stay open, as the server serves it. */
async function startDesk(liveStatus: boolean) {
  let left = () => {}
  const gone = new Promise<void>((resolve) => {
    left = resolve
  })
  const body = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('event: state\n\n')),
      cancel: left,
    })
  const clients = new ClientAddresses({ trustProxy: 0, logger: pino({ level: 'silent' }) })
  const desk = {
    hook: async () => new Response('hook'),
    challenge: async (request: Request) => Response.json({ address: clients.of(request) }),
    events: async (request: Request, id: string) =>
      new Response(body(), { headers: { 'x-id': id, 'x-client': clients.of(request) ?? '' } }),
  }
  const origins = allowOrigins(['https://demo.example'])
  const app = new Hono<{ Bindings: HttpBindings }>().route(
    '/-',
    deskRoutes({ desk, liveStatus, clients, origins }),
  )
  const server = createServer(getRequestListener(app.fetch))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, gone }
}

const OWN = { origin: 'https://demo.example' }

it('sends what happens to a call as it happens, and ends the stream of a client that goes', async () => {
  const { url, gone } = await startDesk(true)
  const client = new AbortController()
  const answer = await fetch(`${url}/-/calls/an-id/events`, { signal: client.signal, headers: OWN })
  expect(['x-id', 'x-client', 'access-control-allow-origin'].map((name) => answer.headers.get(name))).toEqual(
    ['an-id', '127.0.0.1', 'https://demo.example'],
  )
  const reader = answer.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('event: state\n\n')
  client.abort()
  await gone
})

it('serves no live status where it is off', async () => {
  const { url } = await startDesk(false)
  expect((await fetch(`${url}/-/calls/an-id/events`)).status).toBe(404)
})

it('tells the desk who asks for a challenge, which pages of ours may, and programs', async () => {
  const { url } = await startDesk(true)
  const challenge = `${url}/-/human-check?slug=default`
  const answer = await fetch(challenge, { headers: OWN })
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://demo.example')
  expect(await answer.json()).toEqual({ address: '127.0.0.1' })
  expect((await fetch(challenge)).headers.get('access-control-allow-origin')).toBeNull()
  for (const address of [challenge, `${url}/-/calls/an-id/events`])
    expect((await fetch(address, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  const hook = await fetch(`${url}/-/hooks/platform`, { method: 'POST' })
  expect([await hook.text(), hook.headers.get('access-control-allow-origin')]).toEqual(['hook', null])
})
