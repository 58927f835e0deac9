import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { embed, embedAssets } from './embed.js'

const app = embed()
const ask = (name: string) =>
  app.request(`/-/embed/${name}`, {
    headers: { 'accept-encoding': 'br', origin: 'https://elsewhere.example' },
  })

it('is a script for pages of any origin, whose new version is there within minutes', async () => {
  const answer = await ask('heyline-call.js')
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
    'content-encoding': 'br',
    'content-type': expect.stringMatching(/^text\/javascript/),
    'x-content-type-options': 'nosniff',
  })
})

it('loads parts that never change', async () => {
  const parts = readdirSync(embedAssets).filter((name) => /^[\w-]+-[\w-]{8}\.js$/.test(name))
  expect(parts).toEqual(expect.arrayContaining([expect.stringMatching(/^worklet-/)]))
  for (const part of parts) {
    const { status, headers } = await ask(part)
    expect([part, status, headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([
      part,
      200,
      'public, max-age=31536000, immutable',
      '*',
    ])
  }
})

it.each(['.built', 'heyline-call.js.br', 'worklet-00000000.js', '../element/index.js', ''])(
  'serves nothing else: %j',
  async (name) => expect((await ask(name)).status).toBe(404),
)
