import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, shut, textOf } from '../testing/local-server.js'
import { guardedFetch } from './guarded-fetch.js'

const server = createServer(async (request, response) => {
  if (request.url === '/empty') return response.writeHead(204).end()
  if (request.url === '/away') return response.writeHead(302, { location: 'https://a.example/' }).end()
  return response.writeHead(201).end(`${request.headers['x-of']} ${await textOf(request)}`)
})
let url: string
beforeAll(async () => {
  url = await listen(server)
})
afterAll(() => shut(server))

const ask = guardedFetch({ allowPrivate: true })

it('sends a text and reads the answer', async () => {
  const answer = await ask(url, { method: 'POST', headers: { 'x-of': 'a' }, body: 'brød' })
  expect([answer.status, await answer.text()]).toEqual([201, 'a brød'])
  expect((await ask(`${url}/empty`)).status).toBe(204)
})

it('follows no redirect', async () => {
  await expect(ask(`${url}/away`)).rejects.toThrow('redirects')
})

it('ends with its signal', async () => {
  await expect(ask(url, { signal: AbortSignal.abort() })).rejects.toThrow()
})

it('reaches nothing that is refused, nor what its name leads to', async () => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const guarded = guardedFetch({ allowPrivate: false, resolve })
  for (const refused of [url, url.replace('http', 'https'), 'https://nango.example'])
    await expect(guarded(refused)).rejects.toMatchObject({ name: 'RefusedAddressError' })
})
