import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { edgeBench, ended, PATIENCE } from '../testing/edge-bench.js'

const bench = edgeBench()
const { open, openConnections } = bench

/** A server with forty connections, whose paths are answered but for `/wait`. */
const openSmall = () =>
  open((request, response) => request.url === '/' && response.end('served'), { mostConnections: 40 })

/** From a network of its own, 127.0.n.0/24. */
async function from(network: number): Promise<Socket> {
  const client = connect({
    port: bench.listening.port,
    host: '127.0.0.1',
    localAddress: `127.0.${network}.1`,
  }).on('error', () => undefined)
  bench.clients.push(client)
  await Promise.race([new Promise((resolve) => client.once('connect', resolve)), ended(client)])
  return client
}
const asks = (client: Socket, path: string) => client.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)

async function isServed(network: number): Promise<boolean> {
  const client = await from(network)
  const answer = new Promise<boolean>((resolve) =>
    client.once('data', (data) => resolve(String(data).startsWith('HTTP/1.1 200'))),
  )
  asks(client, '/')
  return client.closed ? false : await Promise.race([answer, ended(client).then(() => false)])
}
const reasons = () => new Set(bench.lines.map(({ reason }) => reason))

it('closes idle connections of a greedy network for others, and gives it no more', async () => {
  await openSmall()
  const greedy = await Promise.all(Array.from({ length: 30 }, () => from(1)))
  await expect.poll(openConnections, PATIENCE).toBe(30)
  const left = Promise.all(greedy.slice(0, 10).map(ended))
  for (let network = 2; network < 12; network++) expect(await isServed(network)).toBe(true)
  await left
  expect(reasons()).toEqual(new Set(['made room for another network']))
  expect(await isServed(1)).toBe(false)
  expect(reasons()).toContain('too many of one network')
})

it('serves others, too, where a few networks hold all they can with requests under way', async () => {
  await openSmall()
  for (let network = 1; network < 6; network++)
    for (const client of await Promise.all(Array.from({ length: 8 }, () => from(network))))
      asks(client, '/wait')
  for (let network = 20; network < 45; network++) expect(await isServed(network)).toBe(true)
})
