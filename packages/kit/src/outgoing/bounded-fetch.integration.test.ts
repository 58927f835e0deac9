import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { boundedFetch } from './bounded-fetch.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const bounded = boundedFetch(fetch, () => ({ bytes: 1000, values: 10 }))

it('hands on what is within the bounds, unpacked', async () => {
  const url = await serverThat((_, response) =>
    response
      .writeHead(201, { 'content-encoding': 'gzip', 'content-type': 'application/json', 'x-told': 'yes' })
      .end(gzipSync('{"name":"Ada é"}')),
  )
  const answer = await bounded(url)
  expect(answer.status).toBe(201)
  expect(answer.headers.get('x-told')).toBe('yes')
  expect(await answer.json()).toEqual({ name: 'Ada é' })
})

it('hands on an answer without a body', async () => {
  const url = await serverThat((_, response) => response.writeHead(204).end())
  expect((await bounded(url, { method: 'DELETE' })).status).toBe(204)
})

it('refuses an answer that is small only while it is packed, and stops reading it', async () => {
  const packed = gzipSync(Buffer.alloc(50_000_000, ' '))
  const url = await serverThat((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
  )
  await expect(bounded(url)).rejects.toThrow(RangeError)
})

it('refuses an answer that never ends', async () => {
  let ended = () => {}
  const over = new Promise<void>((resolve) => {
    ended = resolve
  })
  const url = await serverThat((_, response) => {
    const going = setInterval(() => response.write(' '.repeat(400)), 1)
    response.on('close', () => {
      clearInterval(going)
      ended()
    })
  })
  await expect(bounded(url)).rejects.toThrow('more than 1000 bytes')
  await over
})

it.each([
  ['values', `[${'{},'.repeat(20)}{}]`],
  ['levels', `${'['.repeat(150)}${']'.repeat(150)}`],
])('refuses JSON with too many %s before it is parsed', async (what, body) => {
  const url = await serverThat((_, response) => response.end(body))
  await expect(boundedFetch(fetch, () => ({ bytes: 1000, values: 10 }))(url)).rejects.toThrow(what)
})

it('follows no redirect, so that no key goes to another host', async () => {
  const asked: unknown[] = []
  const other = await serverThat((request, response) => {
    asked.push(request.headers)
    response.end('{}')
  })
  const url = await serverThat((_, response) => response.writeHead(307, { location: other }).end())
  const answer = await bounded(url, { headers: { apikey: 'a-secret' } })
  expect(answer.status).toBe(307)
  expect(asked).toEqual([])
})

it('ends with its signal, also while the body comes', async () => {
  const url = await serverThat((_, response) => response.write('{'))
  const over = new AbortController()
  const asked = bounded(url, { signal: over.signal })
  setTimeout(() => over.abort(new Error('late')), 50)
  await expect(asked).rejects.toThrow('late')
})
