import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { ManualClock } from '@heyline/kit/manual-clock'
import { afterEach, expect, it, vi } from 'vitest'
import { joinStreams } from './relayed-stream.js'

const closers: (() => unknown)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Both ends of a connection. */
async function pair(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [near] = (await once(server, 'connection')) as [Socket]
  for (const socket of [near, far]) socket.on('error', () => undefined)
  closers.push(() => {
    near.destroy()
    far.destroy()
    server.close()
  })
  return { near, far }
}

/** A client and a holder as this process sees them, and how far they are with each other. */
async function joined() {
  const clock = new ManualClock()
  const [client, holder] = [await pair(), await pair()]
  joinStreams(client.near, holder.near, clock)
  return { clock, client, holder }
}
const isClosed = (socket: Socket) => vi.waitFor(() => expect(socket.destroyed).toBe(true), { timeout: 5_000 })

it('passes bytes both ways', async () => {
  const { client, holder } = await joined()
  client.far.write('up')
  expect(String((await once(holder.far, 'data'))[0])).toBe('up')
  holder.far.write('down')
  expect(String((await once(client.far, 'data'))[0])).toBe('down')
})

it('reads a holder only as fast as the client does', async () => {
  const { client, holder } = await joined()
  client.far.pause()
  const piece = Buffer.alloc(1_000_000)
  let taken = 0
  const more = () => {
    while (taken < 200 && holder.far.write(piece)) taken += 1
  }
  holder.far.on('drain', more)
  more()
  await vi.waitFor(() => expect(client.near.writableNeedDrain).toBe(true), { timeout: 5_000 })
  expect(client.near.writableLength + holder.near.readableLength).toBeLessThan(1_000_000)
})

it('lets the client read what the holder said last, and then ends it', async () => {
  const { client, holder } = await joined()
  const heard: string[] = []
  client.far.on('data', (data) => heard.push(String(data)))
  holder.far.end('goodbye')
  await once(client.far, 'end')
  expect(heard.join('')).toBe('goodbye')
})

it('ends a side when the other breaks', async () => {
  const first = await joined()
  first.holder.far.resetAndDestroy()
  await isClosed(first.client.far)
  const second = await joined()
  second.client.far.resetAndDestroy()
  await isClosed(second.holder.far)
})

it('gives up a holder that is silent for 35 s, also while the client speaks', async () => {
  const { clock, client, holder } = await joined()
  client.far.write('speech')
  clock.advance(30_000)
  holder.far.write('ping')
  await once(client.far, 'data')
  clock.advance(30_000)
  expect(holder.near.destroyed).toBe(false)
  clock.advance(5_000)
  await isClosed(client.far)
})

it('keeps no holder for a client that has gone meanwhile', async () => {
  const [client, holder] = [await pair(), await pair()]
  client.near.destroy()
  const clock = new ManualClock()
  joinStreams(client.near, holder.near, clock)
  await isClosed(holder.near)
  expect(clock.pending).toBe(0)
})
