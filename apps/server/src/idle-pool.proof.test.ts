import { once } from 'node:events'
import { Agent, createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { freePort, isInstalled, RealBalancer } from './testing/real-balancer.js'

/** As many as `deploy/` lets stay idle before two servers: nginx and Caddy each 32 or fewer. */
const BALANCERS = [
  { name: 'haproxy', most: 200 },
  { name: 'nginx', most: 64 * 4 },
  { name: 'caddy', most: 64 },
] as const
const REQUESTS = 500

describe.each(BALANCERS)('$name', ({ name, most }) => {
  it.skipIf(!isInstalled(name))('keeps few of the connections that a flood has left behind', async () => {
    const sockets = new Set<Socket>()
    const held: ServerResponse[] = []
    const server = createServer({ keepAliveTimeout: 75_000 }, ({ url }, response) => {
      if (url?.startsWith('/-/')) response.end('{}')
      else held.push(response)
    }).on('connection', (socket) => {
      sockets.add(socket.on('close', () => sockets.delete(socket)))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const port = await freePort()
    const balancer = await RealBalancer.start(name, port, [address, address])
    try {
      const agent = new Agent({ keepAlive: false })
      const answered = Array.from({ length: REQUESTS }, async (_, n) => {
        // nginx lets one address have a hundred.
        const asked = get({
          host: '127.0.0.1',
          port,
          path: '/page',
          agent,
          localAddress: `127.0.${n % 10}.1`,
        })
        const [answer] = await once(asked, 'response')
        await once(answer.resume(), 'end')
      })
      await vi.waitFor(() => expect(held).toHaveLength(REQUESTS), { timeout: 20_000 })
      expect(sockets.size).toBeGreaterThanOrEqual(REQUESTS)
      for (const response of held) response.end('here')
      await Promise.all(answered)
      await vi.waitFor(() => expect(sockets.size).toBeLessThanOrEqual(most), { timeout: 5_000 })
    } finally {
      await balancer.stop()
      server.closeAllConnections()
      server.close()
    }
  })
})
