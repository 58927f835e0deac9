import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningCalls } from './calls/running-calls.js'
import type { KeyRing } from './keys/key-ring.js'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'
import { OPEN_GATE } from './testing/open-gate.js'
import { readServerKeys } from './testing/server-keys.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-web-calls-'))
afterAll(() => rmSync(directory, { recursive: true }))

const started: { close(): Promise<unknown> | unknown }[] = []
afterAll(() => Promise.all(started.map((each) => each.close())))

async function start(name: string, environment: Record<string, string>): Promise<Heyline> {
  const settings = readSettings({ PORT: '0', DATA_DIR: join(directory, name), ...environment })
  const heyline = await startHeyline({
    settings,
    logger: pino({ level: 'silent' }),
    lookupWaitMs: 10_000,
  })
  started.push(heyline)
  return heyline
}

const keysOf = (name: string): KeyRing => readServerKeys(join(directory, name))
const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const functionOf = ({ url }: Heyline) => `${url}/-/backend/functions/v1/web-call`
const platformOf = ({ url }: Heyline) => `${url}/-/platform`
const assistantOf = ({ banner }: Heyline) => /Assistant +(\S+)/.exec(banner)?.[1] ?? ''

async function pageSettings({ url }: Heyline) {
  const answer = await fetch(`${url}/default`)
  const html = await answer.text()
  const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  return { status: answer.status, html, settings: JSON.parse(data).settings }
}

/** What the publishable key reads of the visitor `default`. */
const read = (heyline: Heyline, query: string, apikey: string) =>
  fetch(`${heyline.url}/-/backend/rest/v1/visitors?${query}`, {
    headers: { apikey, 'x-visitor-slug': 'default' },
  })

/** Starts a call as a page does that asks the platform itself. */
const startDirect = (heyline: Heyline, key: string, headers: Record<string, string> = {}) =>
  fetch(
    `${platformOf(heyline)}/call/web`,
    json({ assistantId: assistantOf(heyline) }, { authorization: `Bearer ${key}`, ...headers }),
  )

describe('minted calls', () => {
  let heyline: Heyline
  let keys: KeyRing
  beforeAll(async () => {
    heyline = await start('minted', { WEB_CALLS: 'minted' })
    keys = keysOf('minted')
  })

  it('are said to the operator', () => {
    expect(heyline.banner).toMatch(/Browser +calls are started by this server; prompts stay here/)
  })

  it('leave the page without a public key, and with the function', async () => {
    const { status, html, settings } = await pageSettings(heyline)
    expect(status).toBe(200)
    expect(settings).toMatchObject({
      platformPublicKey: 'none',
      webCallFunction: '/-/backend/functions/v1/web-call',
    })
    expect(settings).not.toHaveProperty('ownPlatform')
    expect(html).not.toContain(keys.platformPublic)
  })

  it('are made by the function, with the visitor’s texts, which its answer does not tell', async () => {
    const row = await (await read(heyline, 'select=*&slug=eq.default', keys.secret)).json()
    const [{ system, first_message: firstMessage }] = row
    const answer = await fetch(functionOf(heyline), json({ slug: 'DEFAULT' }))
    const text = await answer.text()
    expect([answer.status, JSON.parse(text)]).toEqual([
      201,
      expect.objectContaining({ id: expect.any(String), webCallUrl: expect.stringMatching(/^ws:/) }),
    ])
    for (const told of [system, firstMessage, 'control', 'monitor']) expect(text).not.toContain(told)
    const call = await fetch(`${platformOf(heyline)}/call/${JSON.parse(text).id}`, {
      headers: { authorization: `Bearer ${keys.platformPrivate}` },
    })
    const kept = await call.text()
    expect(kept).toContain(JSON.stringify(system).slice(1, -1))
    expect(kept).toContain(JSON.stringify(firstMessage).slice(1, -1))
  })

  it('are refused for a visitor that there is not', async () => {
    const answer = await fetch(functionOf(heyline), json({ slug: 'nobody' }))
    expect([answer.status, (await answer.json()).code]).toEqual([404, 'visitor_not_found'])
  })

  it('leave nothing for the public key to start', async () => {
    const answer = await startDirect(heyline, keys.platformPublic)
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('web-call')])
  })

  it.each(['select=*', 'select=system', 'select=slug&first_message=like.*', 'select=slug&order=system'])(
    'keep the texts from the publishable key: %s',
    async (query) => {
      const answer = await read(heyline, query, keys.publishable)
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { code: '42501', details: null, hint: null, message: 'permission denied for table visitors' },
      ])
    },
  )

  it('leave slug and name to it', async () => {
    const answer = await read(heyline, 'select=slug,name&slug=eq.default', keys.publishable)
    expect(await answer.json()).toEqual([{ slug: 'default', name: 'there' }])
  })
})

describe('direct calls', () => {
  let heyline: Heyline
  let keys: KeyRing
  beforeAll(async () => {
    heyline = await start('direct', { ...OPEN_GATE, WEB_CALL_LIMIT_ADDRESS_CONCURRENT: '2' })
    keys = keysOf('direct')
  })

  it('are the page’s own, which tells our platform for whom it asks', async () => {
    const { settings } = await pageSettings(heyline)
    expect(settings).toMatchObject({ platformPublicKey: keys.platformPublic, ownPlatform: true })
    expect(settings).not.toHaveProperty('webCallFunction')
    expect((await fetch(functionOf(heyline), json({ slug: 'default' }))).status).toBe(404)
    expect((await read(heyline, 'select=*&slug=eq.default', keys.publishable)).status).toBe(200)
    expect(heyline.banner).toMatch(/Browser +calls are started by the page/)
  })

  it('pass the call desk’s gate, in the name of their visitor', async () => {
    const headers = { 'x-visitor-slug': encodeURIComponent('default') }
    for (const status of [201, 201])
      expect((await startDirect(heyline, keys.platformPublic, headers)).status).toBe(status)
    const refused = await startDirect(heyline, keys.platformPublic, headers)
    expect(refused.status).toBeGreaterThanOrEqual(403)
    expect(await refused.text()).toContain('This call is not started.')
    const list = await fetch(`${heyline.url}/-/office/calls`, {
      headers: { authorization: `Bearer ${keys.secret}` },
    })
    const { calls } = await list.json()
    const kept = calls.map(({ kind, slug, state }: Record<string, unknown>) => [kind, slug, state])
    expect(kept.slice(-2)).toEqual([
      ['web', 'default', 'dialling'],
      ['web', 'default', 'dialling'],
    ])
  })
})

describe('browser calls beside a foreign webhook', () => {
  let heyline: Heyline
  let keys: KeyRing
  const calls = () => runningCalls(heyline.url, keys.secret)
  beforeAll(async () => {
    heyline = await start('foreign', {
      CALL_WEBHOOK_URL: 'https://hooks.example/call-me',
      CALL_GATE: 'full',
      WEB_CALL_LIMIT_ADDRESS_CONCURRENT: '4',
      WEB_CALL_LIMIT_CONCURRENT: '1',
    })
    keys = keysOf('foreign')
  })

  it('are said to have their gate, and what is raised of it', () => {
    expect(heyline.banner).toMatch(
      /Calls +https:\/\/hooks\.example\/call-me places the phone calls; our limits for them, human check and live status are off\n +in the browser: all limits are on, at most 600 s a call\n/,
    )
    expect(heyline.banner).toContain(
      'Careful: these let more calls pass than is recommended: WEB_CALL_LIMIT_ADDRESS_CONCURRENT.',
    )
  })

  it('pass the gate in the name of their visitor, are listed and followed, and are ended by a pause', async () => {
    expect((await pageSettings(heyline)).settings).toMatchObject({ ownPlatform: true })
    const headers = { 'x-visitor-slug': 'default' }
    expect((await startDirect(heyline, keys.platformPublic, headers)).status).toBe(201)
    const refused = await startDirect(heyline, keys.platformPublic, headers)
    expect([refused.status, await refused.text()]).toEqual([
      429,
      expect.stringContaining('This call is not started.'),
    ])
    const states = async () =>
      (await calls().list({ limit: 10 })).calls.map(({ kind, slug, state }) => [kind, slug, state])
    expect(await states()).toContainEqual(['web', 'default', 'dialling'])
    await calls().pause()
    await expect.poll(states, { timeout: 10_000 }).toContainEqual(['web', 'default', 'ended'])
    expect((await startDirect(heyline, keys.platformPublic, headers)).status).toBe(403)
    await calls().resume()
    expect((await startDirect(heyline, keys.platformPublic, headers)).status).toBe(201)
  })

  it('leave the phone calls to it', async () => {
    const answer = await fetch(
      `${heyline.url}/-/backend/functions/v1/call-me`,
      json({ phone: '+14155552671', slug: 'default' }),
    )
    expect([answer.status, (await answer.json()).code]).toEqual([404, 'desk_off'])
  })

  it('are minted where that is said', async () => {
    const minted = await start('foreign-minted', {
      CALL_WEBHOOK_URL: 'https://hooks.example/call-me',
      WEB_CALLS: 'minted',
    })
    expect((await fetch(functionOf(minted), json({ slug: 'default' }))).status).toBe(201)
    expect((await startDirect(minted, keysOf('foreign-minted').platformPublic)).status).toBe(403)
  })
})

describe('minted calls of a hosted platform and a hosted backend', () => {
  const PRIVATE_KEY = 'private-key-of-the-platform'
  const SECRET_KEY = 'sb_secret_of_the_project'
  const VISITOR = { slug: 'ada', name: 'Ada', system: 'hush-prompt', first_message: 'hush-opening' }
  const asked: { path: string; key: string; body: unknown }[] = []
  let hosted: Server
  let url: string
  beforeAll(async () => {
    hosted = createServer(async (request, response) => {
      const key = (request.headers.authorization ?? '').replace('Bearer ', '')
      const path = request.url ?? ''
      asked.push({ path, key, body: await bodyOf(request) })
      const hidden = /select=(\*|system)/.test(path) && key !== SECRET_KEY
      const [status, said] = path.startsWith('/call/web')
        ? [key === PRIVATE_KEY ? 201 : 401, { id: 'call-1', webCallUrl: 'https://x.daily.co/room' }]
        : hidden
          ? [401, { code: '42501', message: 'permission denied for table visitors' }]
          : [200, path.includes('select=slug%2Cname') ? [{ slug: 'ada', name: 'Ada' }] : [VISITOR]]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    })
    await new Promise<void>((resolve) => hosted.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(hosted.address() as AddressInfo).port}`
    started.push({
      close: () => {
        hosted.closeAllConnections()
        hosted.close()
      },
    })
  })
  const settings = () => ({
    WEB_CALLS: 'minted',
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_the_project',
    SUPABASE_SECRET_KEY: SECRET_KEY,
    PLATFORM_URL: url,
    PLATFORM_PRIVATE_KEY: PRIVATE_KEY,
    PLATFORM_ASSISTANT_ID: 'assistant-1',
    HUMAN_CHECK: 'off',
  })

  it('are made with both secret keys, of which the page has none', async () => {
    const heyline = await start('hosted', settings())
    expect(heyline.banner).not.toContain('grant select')
    asked.length = 0
    const answer = await fetch(`${heyline.url}/-/backend/functions/v1/web-call`, json({ slug: 'ada' }))
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { id: 'call-1', webCallUrl: 'https://x.daily.co/room' },
    ])
    expect(asked).toMatchObject([
      { path: expect.stringContaining('/rest/v1/visitors?select=*'), key: SECRET_KEY },
      {
        path: '/call/web',
        key: PRIVATE_KEY,
        body: {
          assistantId: 'assistant-1',
          assistantOverrides: {
            firstMessage: 'hush-opening',
            model: { messages: [{ role: 'system', content: 'hush-prompt' }] },
          },
        },
      },
    ])
    const page = await (await fetch(`${heyline.url}/ada`)).text()
    expect(page).toContain('Hey Ada,')
    expect(page).not.toMatch(/hush|sb_secret|private-key/)
  })
})

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const text = (await request.setEncoding('utf8').toArray()).join('')
  return text === '' ? undefined : JSON.parse(text)
}
