import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { testDirectory } from '../testing/heyline-command.js'

// A start of the server takes long where much else is going on.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface Told {
  type: string
  timestamp: string
  data: { id: string; slug: string; link: string }
}

const { path, remove } = testDirectory()
const told: Told[] = []
const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece
  told.push(JSON.parse(body))
  response.writeHead(204).end()
})
let heyline: Heyline
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: path,
    EVENTS_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    EVENTS_SECRET: `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
    EVENTS_ALLOW_PRIVATE: 'on',
  })
  heyline = await startHeyline({ settings, logger: pino({ level: 'silent' }) })
})
afterAll(async () => {
  await heyline.close()
  receiver.close()
  remove()
})

/** The answer's body, once its status is this one. */
async function send<Answer>(route: string, body: object, headers: Record<string, string>): Promise<Answer> {
  const answer = await fetch(`${heyline.url}/-/office${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: heyline.url, ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${route} answered ${answer.status}: ${await answer.text()}`)
  const [cookie] = answer.headers.getSetCookie()
  return { ...(await answer.json()), cookie: cookie?.split(';')[0] }
}

it("opens the event that a delivery tells of, with an operator's API key and not without one", async () => {
  const code = /#setup=([\w-]+)/.exec(heyline.banner)?.[1]
  const owner = { code, email: 'ada@example.com', password: 'correct horse battery staple' }
  const { cookie } = await send<{ cookie: string }>('/session/set-up', owner, {})
  const key = { name: 'zapier', role: 'viewer', days: 1 }
  const { key: viewer } = await send<{ key: string }>('/api-keys', key, { cookie })
  await send('/visitors', { slug: 'linked', name: 'Ada' }, { cookie })
  await expect
    .poll(() => told.filter(({ data }) => data.slug === 'linked'), { timeout: 30_000 })
    .toHaveLength(1)
  const [{ type, timestamp, data } = Object(undefined)] = told.filter(({ data }) => data.slug === 'linked')

  expect((await fetch(data.link)).status).toBe(401)
  const answer = await fetch(data.link, { headers: { authorization: `Bearer ${viewer}` } })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({
    ...{ id: data.id, type, at: timestamp, slug: 'linked' },
    // Who it was is not a viewer's to read.
    actor: 'operator',
  })
})
