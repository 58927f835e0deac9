import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eachOperation } from '@heyline/back-office/operations'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'

const PASSWORD = 'correct horse battery staple'
const EMAIL = 'ada@example.com'

describe('the console at a running server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heyline-console-'))
  let heyline: Heyline
  let cookie = ''
  beforeAll(async () => {
    heyline = await startHeyline({
      settings: readSettings({ PORT: '0', DATA_DIR: directory, TRUST_PROXY: '1' }),
      logger: pino({ level: 'silent' }),
    })
    const code = /#setup=([\w-]+)/.exec(heyline.banner)?.[1]
    const made = await send('POST', '/session/set-up', { code, email: EMAIL, password: PASSWORD })
    expect(made.status).toBe(201)
    cookie = cookieOf(made)
  })
  afterAll(async () => {
    await heyline.close()
    rmSync(directory, { recursive: true })
  })

  /** As the console's own page asks. */
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${heyline.url}/-/office${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': '198.51.100.1',
        ...(method !== 'GET' && { origin: heyline.url }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
  const cookieOf = (answer: Response) => /^[^;]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''
  const signIn = async (headers?: Record<string, string>, password = PASSWORD) =>
    send('POST', '/session/sign-in', { email: EMAIL, password }, headers)
  const codeOf = async (answer: Response) => [answer.status, (await answer.json()).code]

  it('gives a cookie that no script reads, and no other site sends', async () => {
    const answer = await signIn()
    expect(answer.headers.get('set-cookie')).toMatch(
      /^heyline-console=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('vary')).toBe('Cookie')
    const text = await answer.text()
    expect(text).not.toMatch(/eyJ|token/)
    expect(JSON.parse(text)).toMatchObject({ signedIn: true, operator: { email: EMAIL, role: 'owner' } })
    const shown = await send('GET', '/operators/me', undefined, { cookie: cookieOf(answer) })
    expect(await shown.json()).toMatchObject({ email: EMAIL, role: 'owner' })
  })

  it('sets no cookie where a sign-in is refused', async () => {
    const answer = await signIn({}, 'something else')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await codeOf(answer)).toEqual([400, 'invalid_credentials'])
  })

  it('signs out: the cookie goes, and a copy of it opens nothing', async () => {
    const own = cookieOf(await signIn())
    const answer = await send('POST', '/session/sign-out', undefined, { cookie: own })
    expect(answer.headers.get('set-cookie')).toMatch(/^heyline-console=; Max-Age=0; /)
    expect(await codeOf(await send('GET', '/visitors', undefined, { cookie: own }))).toEqual([
      401,
      'unauthorized',
    ])
  })

  it.each(
    eachOperation().flatMap(({ name, operation }) =>
      operation.method === 'GET' ? [] : [{ name, operation }],
    ),
  )('takes no $name of foreign pages', async ({ operation: { method, path } }) => {
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: heyline.url, 'sec-fetch-site': 'cross-site' },
      { origin: heyline.url, 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign)
      expect(await codeOf(await send(method, path, {}, { cookie, ...headers }))).toEqual([
        403,
        'foreign_page',
      ])
    const unnamed = await fetch(`${heyline.url}/-/office${path}`, { method, headers: { cookie } })
    expect(await codeOf(unnamed)).toEqual([403, 'foreign_page'])
  })

  it('shows foreign pages nothing, though a browser would send the cookie', async () => {
    const shown = (site: string) => send('GET', '/visitors', undefined, { cookie, 'sec-fetch-site': site })
    for (const site of ['cross-site', 'same-site'])
      expect(await codeOf(await shown(site))).toEqual([403, 'foreign_page'])
    for (const site of ['same-origin', 'none']) expect((await shown(site)).status).toBe(200)
  })

  it('opens a session by its cookie alone: a bearer that comes along is asked for itself', async () => {
    const { key } = await (
      await send('POST', '/api-keys', { name: 'other', role: 'viewer', days: 30 }, { cookie })
    ).json()
    const authorization = `Bearer ${key}`
    const mixed = await send('GET', '/session/all', undefined, { cookie, authorization })
    expect(await codeOf(mixed)).toEqual([401, 'unauthorized'])
    const shown = await send('GET', '/session', undefined, { cookie, authorization })
    expect(await shown.json()).toMatchObject({ signedIn: false })
    expect((await send('GET', '/session/all', undefined, { cookie })).status).toBe(200)
  })

  it('asks programs with a key for no origin', async () => {
    const { key } = await (
      await send('POST', '/api-keys', { name: 'ci', role: 'viewer', days: 30 }, { cookie })
    ).json()
    expect(key).toMatch(/^hlk_/)
    const ask = (method: string, path: string, body?: unknown) =>
      fetch(`${heyline.url}/-/office${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      })
    expect((await ask('GET', '/visitors')).status).toBe(200)
    expect(await codeOf(await ask('POST', '/visitors', { slug: 'a', name: 'A' }))).toEqual([403, 'forbidden'])
    expect(await codeOf(await ask('POST', '/api-keys', { name: 'x', role: 'viewer', days: 1 }))).toEqual([
      403,
      'forbidden',
    ])
    // It is no session.
    expect(await codeOf(await ask('GET', '/session/all'))).toEqual([401, 'unauthorized'])
    const [line] = await (await ask('GET', '/api-keys')).json()
    expect(line).toMatchObject({ name: 'ci', role: 'viewer', lastUsedAt: expect.any(String) })
    expect((await ask('POST', '/api-keys/revoke', { id: line.id })).status).toBe(200)
    expect(await codeOf(await ask('GET', '/visitors'))).toEqual([401, 'unauthorized'])
    const audit = await (await send('POST', '/audit', { limit: 2 }, { cookie })).json()
    const [revoked, added] = audit.lines
    expect(revoked).toMatchObject({ actor: `${EMAIL} (key ci)`, action: 'api_key_revoked' })
    expect(added).toMatchObject({
      actor: EMAIL,
      action: 'api_key_added',
      detail: { name: 'ci', role: 'viewer' },
    })
  })

  it('counts wrong passwords by the address of who types them', async () => {
    const answers: number[] = []
    for (let count = 0; count < 8; count++)
      answers.push((await signIn({ 'x-forwarded-for': '203.0.113.9' }, 'a guess')).status)
    expect(answers.at(-1)).toBe(429)
    const limited = await signIn({ 'x-forwarded-for': '203.0.113.9' })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await signIn()).status).toBe(200)
    const browser = { 'user-agent': 'A browser of the test' }
    const own = cookieOf(await signIn(browser))
    const { sessions } = await (await send('GET', '/session/all', undefined, { cookie: own })).json()
    expect(sessions.find(({ current }: { current: boolean }) => current)).toMatchObject({
      ip: '198.51.100.1',
      user_agent: 'A browser of the test',
    })
  })
})
