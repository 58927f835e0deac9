import { expect, it } from 'vitest'
import { allowOrigins } from './allowed-origins.js'

const origins = allowOrigins(['https://demo.example', 'http://localhost:3000/'])
const ask = async (origin?: string, method = 'POST') => {
  let asked = 0
  const request = new Request('https://demo.example/-/backend/functions/v1/call-me', {
    method,
    headers: origin === undefined ? {} : { origin },
  })
  const answer = await origins(request, async () => {
    asked += 1
    return new Response('called', { headers: { 'access-control-allow-origin': '*', vary: 'accept' } })
  })
  return { answer, asked }
}

it.each(['https://demo.example', 'http://localhost:3000'])(
  'lets pages of %s read the answer',
  async (origin) => {
    const { answer, asked } = await ask(origin)
    expect([asked, answer.headers.get('access-control-allow-origin'), answer.headers.get('vary')]).toEqual([
      1,
      origin,
      'accept, origin',
    ])
  },
)

it('serves programs, which name no origin, and opens the answer to no page', async () => {
  const { answer, asked } = await ask()
  expect([asked, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([1, 200, null])
})

it.each([
  'https://evil.example',
  'http://demo.example',
  'https://demo.example:8443',
  'https://demo.example.evil.example',
  'https://DEMO.example',
  'null',
  '',
])('refuses pages of %j before anything is done, preflights too', async (origin) => {
  for (const method of ['POST', 'OPTIONS', 'GET']) {
    const { answer, asked } = await ask(origin, method)
    expect([asked, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([0, 403, null])
    expect(await answer.json()).toMatchObject({ code: 'origin_not_allowed' })
  }
})
