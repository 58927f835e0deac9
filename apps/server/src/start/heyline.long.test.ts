import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { openKeyRing } from '../keys/key-ring.js'
import { findRunningServer } from '../running-server/server-file.js'
import { readSettings } from '../settings/settings.js'
import { runHeyline } from '../testing/heyline-command.js'
import { type Heyline, startHeyline } from './heyline.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-server-'))
const settings = readSettings({
  PORT: '0',
  DATA_DIR: directory,
  PHONE_KEY: 'a-key-for-the-pocket-phone',
  ALLOWED_ORIGINS: 'https://partner.example',
})
let heyline: Heyline
beforeAll(async () => {
  heyline = await startHeyline({ settings, logger: pino({ level: 'silent' }), lookupWaitMs: 10_000 })
})
afterAll(async () => {
  await heyline.close()
  rmSync(directory, { recursive: true })
})

const keys = () => openKeyRing(directory, settings.keys)
const get = (path: string, init?: RequestInit) => fetch(`${heyline.url}${path}`, init)
const preflight = (path: string, origin: string) =>
  get(path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,authorization,apikey,x-visitor-slug',
    },
  })
const allowedOrigin = (answer: Response) => answer.headers.get('access-control-allow-origin')

describe('the start', () => {
  it('says where it is ready, which pages there are, and which end each wire uses', () => {
    expect(heyline.banner).toMatch(new RegExp(`^Heyline is ready at ${heyline.url}\n`))
    expect(heyline.banner).toContain(`${heyline.url}/default`)
    expect(heyline.banner).toContain(`${heyline.url}/riverside-dental`)
    expect(heyline.banner).toContain(`${heyline.url}/-/phone`)
    expect(heyline.banner).toMatch(
      new RegExp(`Console +${heyline.url}/-/console\n +Set up +${heyline.url}/-/console/#setup=`),
    )
    expect(heyline.banner).toMatch(/Backend +built-in, on PGlite/)
    expect(heyline.banner).toMatch(/Platform +built-in \(offline engines; simulated carrier\)/)
  })

  it('links a pocket phone that opens, and the command prints the same link', async () => {
    const link = /Phone +(\S+) /.exec(heyline.banner)?.[1] ?? ''
    const answer = await fetch(link)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('name="caller"')])
    const { out, err } = await runHeyline(['phone'], { DATA_DIR: directory })
    expect([out, err]).toEqual([`${link}\n`, ''])
  })

  it('keeps its files to this user, and says where it runs', async () => {
    expect(await findRunningServer(directory)).toEqual({
      url: heyline.url.replace('localhost', '127.0.0.1'),
      pid: process.pid,
      database: 'pglite',
    })
    for (const file of ['keys.json', 'server.json'])
      expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  })

  it('refuses a second server on its port, in one line', async () => {
    const port = new URL(heyline.url).port
    const second = { ...settings, port: Number(port), dataDirectory: `${directory}/second` }
    await expect(startHeyline({ settings: second, logger: pino({ level: 'silent' }) })).rejects.toThrow(
      `PORT: ${port} is in use on 127.0.0.1`,
    )
  })

  it('refuses a second server on its data directory, in one line', async () => {
    await expect(startHeyline({ settings, logger: pino({ level: 'silent' }) })).rejects.toThrow(
      /is in use by process/,
    )
  })
})

describe('the page', () => {
  it.each([
    ['/', 200, 'Demo for there'],
    ['/default', 200, 'Demo for there'],
    ['/riverside-dental', 200, 'Demo for Riverside Dental'],
    ['/RIVERSIDE-DENTAL/anything?q=1', 200, 'Demo for Riverside Dental'],
    ['/nobody', 404, undefined],
    ['/%00', 404, undefined],
    ['/%E0%A4%A', 404, undefined],
    ['/riverside%25', 404, undefined],
    ['/r*', 404, undefined],
    ['/favicon.ico', 404, undefined],
  ])('answers %s with %i', async (path, status, title) => {
    const answer = await get(path)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const html = await answer.text()
    if (title) expect(html).toContain(`<title>${title}</title>`)
    else expect(html).toContain('Page Not Found')
  })

  it('folds dots in a path into the slug default', async () => {
    const html = await new Promise<string>((resolve, reject) => {
      const { port } = new URL(heyline.url)
      httpRequest({ port, path: '/..', host: '127.0.0.1' }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve(text))
      })
        .on('error', reject)
        .end()
    })
    expect(html).toContain('Demo for there')
  })

  it('inlines publishable keys only, and no prompt', async () => {
    const html = await (await get('/riverside-dental')).text()
    const { publishable, platformPublic, ...private_ } = keys()
    expect(html).toContain(publishable)
    expect(html).toContain(platformPublic)
    for (const key of Object.values(private_)) expect(html).not.toContain(key)
    expect(html).not.toMatch(/first_message|firstMessage/)
  })

  it('carries a policy without unsafe sources, and answers GET and HEAD only', async () => {
    const head = await get('/default', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    const policy = head.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe|daily/)
    expect((await get('/default', { method: 'POST' })).status).toBe(405)
  })

  it('serves its hashed files compressed and immutable, and nothing else from there', async () => {
    const html = await (await get('/default')).text()
    const script = /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? ''
    const answer = await get(script, { headers: { 'accept-encoding': 'br' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('content-type')).toMatch(/javascript/)
    const flag = await get('/-/assets/flags/US.svg')
    expect(flag.status).toBe(200)
    expect(flag.headers.get('cache-control')).not.toContain('immutable')
    const kept = [
      'index.html',
      '.vite/manifest.json',
      '.built',
      '../server/index.js',
      '..%2fserver%2findex.js',
    ]
    for (const file of ['none.js', ...kept])
      expect([file, (await get(`/-/assets/${file}`)).status]).toEqual([file, 404])
  })
})

describe('the rooms behind /-/', () => {
  it('says that it is alive and ready', async () => {
    const answer = await get('/-/health')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ status: 'ok', ready: true, database: 'pglite' })
    const alive = await get('/-/live')
    expect([alive.status, await alive.json()]).toEqual([200, { live: true }])
    const ready = await get('/-/ready')
    expect([ready.status, await ready.json()]).toMatchObject([200, { ready: true }])
    expect((await fetch(`${heyline.url}/-/ready`, { method: 'HEAD' })).status).toBe(200)
  })

  it.each(['/-/console', '/-/console/', '/-/console/visitors/a%2Fb', '/-/console/calls/1?text=a'])(
    'answers %s with the console',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('<div id="console">')
    },
  )

  it.each(['/-/', '/-/none', '/-/calls/1/events', '/-/carriers/none'])('has nothing at %s', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toMatch(/json/)
  })

  it.each([
    ['/-/backend/auth/v1/.well-known/jwks.json', 200],
    ['/-/backend/auth/v1/user', 401],
    ['/-/backend/auth/v1/authorize', 422],
    ['/-/backend/auth/v1/none', 404],
    ['/-/backend/storage/v1/bucket', 422],
    ['/-/backend/realtime/v1/websocket', 422],
    ['/-/backend/functions/v1/none', 404],
    ['/-/backend/rest/v1/visitors', 401],
    ['/-/platform/call', 401],
    ['/-/hooks/platform', 405],
  ])('answers %s with %i', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })

  it('signs in accounts that the secret key has made, under its own name', async () => {
    const post = (path: string, body: object, key?: string) =>
      get(`/-/backend/auth/v1${path}`, {
        method: 'POST',
        headers: key ? { authorization: `Bearer ${key}` } : {},
        body: JSON.stringify(body),
      })
    const account = { email: 'ada@example.com', password: 'correct horse battery' }
    const made = await post('/admin/users', { ...account, email_confirm: true }, keys().secret)
    expect(made.status).toBe(200)
    const { access_token } = await (await post('/token?grant_type=password', account)).json()
    const claims = JSON.parse(Buffer.from(access_token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ iss: `${heyline.url}/-/backend/auth/v1`, email: 'ada@example.com' })
    const sessions = await get('/-/backend/auth/v1/sessions', {
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(await sessions.json()).toMatchObject([{ ip: '127.0.0.1', current: true }])
  })

  it('says in words what the address of a room is', async () => {
    for (const method of ['GET', 'POST']) {
      const answer = await get('/-/rooms/7d3a1f1e-5a55-4b61-9a5e-0f2a3a3b1c11?secret=x', { method })
      expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket'])
      expect(await answer.json()).toEqual({
        code: 'upgrade_required',
        message: expect.stringMatching(/WebSocket, and no Daily room: join it with @heyline\/web-call/),
      })
    }
  })

  it('refuses the method that no web request can have, wherever it comes', async () => {
    const { port } = new URL(heyline.url)
    for (const path of ['/default', '/-/health', '/-/backend/rest/v1/visitors']) {
      const status = await new Promise((resolve, reject) => {
        httpRequest({ port, path, host: '127.0.0.1', method: 'TRACE' }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
          .on('error', reject)
          .end()
      })
      expect([path, status]).toEqual([path, 405])
    }
  })

  it('opens REST to any origin, and the platform and the webhook only to ours and the allowed', async () => {
    const anywhere = 'https://anywhere.example'
    const own = heyline.url
    const alias = own.replace('localhost', '127.0.0.1')
    const open = await preflight('/-/backend/rest/v1/visitors', anywhere)
    expect([open.ok, allowedOrigin(open)]).toEqual([true, '*'])
    expect(open.headers.get('access-control-allow-credentials')).toBeNull()
    for (const path of ['/-/platform/call/web', '/-/backend/functions/v1/call-me']) {
      expect(allowedOrigin(await preflight(path, anywhere))).toBeNull()
      for (const origin of [own, alias, 'https://partner.example']) {
        const answer = await preflight(path, origin)
        expect([answer.ok, allowedOrigin(answer)]).toEqual([true, origin])
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
      }
    }
    for (const path of ['/-/hooks/platform', '/-/office/visitors', '/-/phone', '/-/health'])
      expect(allowedOrigin(await preflight(path, anywhere))).toBeNull()
  })

  it('refuses a call request of a foreign page, before it is looked at', async () => {
    const answer = await get('/-/backend/functions/v1/call-me', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://anywhere.example' },
      body: JSON.stringify({ phone: '+12025550101', slug: 'default' }),
    })
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { code: 'origin_not_allowed', message: expect.stringContaining('ALLOWED_ORIGINS') },
    ])
    expect(allowedOrigin(answer)).toBeNull()
  })

  it('opens the admin door with the secret key only', async () => {
    const { secret, publishable } = keys()
    for (const key of ['', publishable, `${secret}x`])
      expect((await get('/-/office/visitors', { headers: { authorization: `Bearer ${key}` } })).status).toBe(
        401,
      )
    const answer = await get('/-/office/visitors', { headers: { authorization: `Bearer ${secret}` } })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      visitors: [
        expect.objectContaining({ slug: 'default' }),
        expect.objectContaining({ slug: 'riverside-dental' }),
      ],
      next: null,
    })
  })

  it('takes a call request, and answers its errors as the catalogue has them', async () => {
    const post = (body: string, type = 'application/json') =>
      get('/-/backend/functions/v1/call-me', { method: 'POST', headers: { 'content-type': type }, body })
    const accepted = await post(JSON.stringify({ phone: '+12025550102', slug: 'default' }))
    expect(accepted.status).toBe(202)
    expect(await accepted.json()).toEqual({ id: expect.any(String), status: 'queued' })
    const errors: [string, string, number, string][] = [
      ['{', 'application/json', 400, 'invalid_json'],
      [JSON.stringify({ phone: '+1', slug: 'default' }), 'application/json', 400, 'invalid_phone'],
      [
        JSON.stringify({ phone: '+14155552671', slug: 'nobody' }),
        'application/json',
        404,
        'visitor_not_found',
      ],
      [
        JSON.stringify({ phone: '+14155552671', slug: 'x'.repeat(20_000) }),
        'application/json',
        413,
        'too_large',
      ],
      ['phone=1', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ]
    for (const [body, type, status, code] of errors) {
      const answer = await post(body, type)
      expect([answer.status, await answer.json()]).toEqual([status, { code, message: expect.any(String) }])
    }
  })

  it('opens the pocket phone on this machine, and elsewhere with its key', async () => {
    expect((await get('/-/phone')).status).toBe(200)
    const proxied = { headers: { 'x-forwarded-for': '203.0.113.7' } }
    expect((await get('/-/phone', proxied)).status).toBe(403)
    expect((await get('/-/phone?key=wrong', proxied)).status).toBe(403)
    expect((await get('/-/phone?key=a-key-for-the-pocket-phone', proxied)).status).toBe(200)
  })
})

describe('the sockets', () => {
  const refusal = (path: string, protocols: string[], headers: Record<string, string> = {}) =>
    new Promise<number | 'open'>((resolve) => {
      const socket = new WebSocket(heyline.url.replace('http', 'ws') + path, protocols, { headers })
      socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0))
      socket.on('open', () => {
        socket.terminate()
        resolve('open')
      })
      socket.on('error', () => {})
    })

  it('are refused where nothing listens, for a foreign origin, and for another protocol', async () => {
    expect(await refusal('/-/none', [])).toBe(404)
    expect(await refusal('/default', [])).toBe(404)
    expect(await refusal('/-/rooms/x', ['room.v1'], { origin: 'https://anywhere.example' })).toBe(403)
    expect(await refusal('/-/rooms/x', ['room.v9'])).toBe(400)
    expect(await refusal('/-/carriers/simulated/phones', [])).toBe(400)
    expect(
      await refusal('/-/carriers/simulated/phones', ['phone.v1'], { 'x-forwarded-for': '203.0.113.7' }),
    ).toBe(403)
  })

  it('are taken for rooms (which say themselves what is wrong) and phones', async () => {
    expect(await refusal('/-/rooms/x', ['room.v1'], { origin: heyline.url })).toBe('open')
    expect(await refusal('/-/rooms/x', [])).toBe('open')
    expect(await refusal('/-/carriers/simulated/phones', ['phone.v1'])).toBe('open')
  })

  it('say to a Realtime client that there is no such service', async () => {
    const socket = new WebSocket(
      `${heyline.url.replace('http', 'ws')}/-/backend/realtime/v1/websocket?vsn=2.0.0`,
    )
    socket.on('open', () => socket.send('["1","1","realtime:room","phx_join",{}]'))
    const [reply] = await once(socket, 'message')
    socket.terminate()
    expect(JSON.parse(String(reply))).toMatchObject([
      '1',
      '1',
      'realtime:room',
      'phx_reply',
      { status: 'error', response: { reason: expect.stringMatching(/no realtime service/) } },
    ])
  })

  it('carry the call of a program, which hears the greeting', async () => {
    const answer = await get('/-/platform/call', {
      method: 'POST',
      headers: { authorization: `Bearer ${keys().platformPrivate}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        assistant: { firstMessage: 'Hello there.' },
        transport: { provider: 'vapi.websocket' },
      }),
    })
    expect(answer.status).toBe(201)
    const { transport } = await answer.json()
    const socket = new WebSocket(transport.websocketCallUrl)
    let loudest = 0
    await new Promise<void>((resolve) =>
      socket.on('message', (data: Buffer, isBinary) => {
        if (!isBinary) return
        for (let at = 0; at + 1 < data.length; at += 2)
          loudest = Math.max(loudest, Math.abs(data.readInt16LE(at)))
        if (loudest > 1_000) resolve()
      }),
    )
    socket.send('{"type":"hangup"}')
    const [code] = await once(socket, 'close')
    expect(code).toBe(1000)
  })
})
