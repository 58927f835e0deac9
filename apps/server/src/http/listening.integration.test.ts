import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { listen } from './listening.js'

it('answers requests that came before it was ready', async () => {
  const listening = await listen(0, '127.0.0.1')
  const arrived = once(listening.server, 'request')
  const early = fetch(`http://127.0.0.1:${listening.port}/early`)
  await arrived
  listening.serve((request, response) => response.end(`served ${request.url}`))
  expect(await (await early).text()).toBe('served /early')
  await listening.close()
})

it('closes although somebody holds a connection that is no longer a request', async () => {
  const listening = await listen(0, '127.0.0.1')
  const upgraded = once(listening.server, 'upgrade')
  const client = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true })
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  await upgraded
  await listening.close()
  client.destroy()
})

it('tells clients how long it keeps a connection without a request', async () => {
  const listening = await listen(0, '127.0.0.1', { idleMs: 75_000 })
  listening.serve((_, response) => response.end())
  const answer = await fetch(`http://127.0.0.1:${listening.port}/`)
  expect(answer.headers.get('keep-alive')).toBe('timeout=75')
  await listening.close()
})

it('says that a connection ends whose body it has not read, and keeps others', async () => {
  const listening = await listen(0, '127.0.0.1')
  listening.serve(async (request, response) => {
    if (request.url === '/read') await request.toArray()
    response.end()
  })
  const post = async (path: string) =>
    await fetch(`http://127.0.0.1:${listening.port}${path}`, { method: 'POST', body: 'x'.repeat(2_000_000) })
  const get = await fetch(`http://127.0.0.1:${listening.port}/`)
  expect(get.headers.get('connection')).toBe('keep-alive')
  expect((await post('/read')).headers.get('connection')).toBe('keep-alive')
  expect((await post('/refused')).headers.get('connection')).toBe('close')
  await listening.close()
})

it('says what to do about a port that is in use', async () => {
  const listening = await listen(0, '127.0.0.1')
  await expect(listen(listening.port, '127.0.0.1')).rejects.toThrow(
    /^PORT: \d+ is in use on 127\.0\.0\.1: stop/,
  )
  await listening.close()
})

it('lets a body come for longer than the ten minutes that operators have', async () => {
  const listening = await listen(0, '127.0.0.1')
  expect(listening.server.requestTimeout).toBeGreaterThan(10 * 60_000)
  await listening.close()
})
