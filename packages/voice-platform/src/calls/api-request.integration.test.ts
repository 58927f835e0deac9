import { once } from 'node:events'
import { createServer } from 'node:http'
import { systemClock } from '@heyline/kit/clock'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ApiRequest, apiRequest } from './api-request.js'

const asked: { url: string | undefined; authorization: string | undefined; body: string }[] = []
const server = createServer(async (request, answer) => {
  let body = ''
  for await (const piece of request) body += piece
  asked.push({ url: request.url, authorization: request.headers.authorization, body })
  answer.end('done')
})
let origin = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address === 'object' && address) origin = `http://127.0.0.1:${address.port}`
})
afterAll(() => {
  server.close()
})
beforeEach(() => {
  asked.length = 0
})

/** What a caller may talk the model into giving. */
const GIVEN = { city: 'Oslo', customer: '7', price: 0, via: 'nobody' }

async function sent(tool: Partial<ApiRequest>, variables: Record<string, unknown> = {}) {
  const { run } = apiRequest(
    {
      type: 'apiRequest',
      method: 'POST',
      url: `${origin}/{{customer}}/{{city}}`,
      headers: { properties: { authorization: { value: 'Bearer {{customer}}' } } },
      ...tool,
    },
    { allowPrivate: true, clock: systemClock, variables: { values: variables, now: new Date(0) } },
  )
  const signal = new AbortController().signal
  expect(await run(GIVEN, { signal, toolCallId: 'call-1' })).toEqual({ result: 'done' })
  return asked[0]
}

const properties = { city: { type: 'string' }, via: { type: 'string', value: 'phone' } }

it('has of what the model gives only what the tool offers to it', async () => {
  expect(await sent({ body: { properties } })).toEqual({
    url: '//Oslo',
    authorization: 'Bearer',
    body: '{"city":"Oslo","via":"phone"}',
  })
})

it('has none of it where the tool offers nothing, and the values of the call', async () => {
  expect(await sent({ method: 'GET' }, { customer: '12' })).toEqual({
    url: '/12/',
    authorization: 'Bearer 12',
    body: '',
  })
})

it.each([
  ['may have more', { properties, additionalProperties: true }],
  ['says nothing of properties', {}],
])('has all of it where the body %s', async (_, body) => {
  expect(JSON.parse((await sent({ body }))?.body ?? '')).toMatchObject({
    city: 'Oslo',
    customer: '7',
    price: 0,
  })
})
