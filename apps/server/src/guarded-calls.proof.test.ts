import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningCalls } from './calls/running-calls.js'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'
import { OPEN_GATE } from './testing/open-gate.js'
import { readServerKeys } from './testing/server-keys.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-guarded-'))
afterAll(() => rmSync(directory, { recursive: true }))

const start = (name: string, environment: Record<string, string>) =>
  startHeyline({
    settings: readSettings({ PORT: '0', DATA_DIR: join(directory, name), ...environment }),
    logger: pino({ level: 'silent' }),
    lookupWaitMs: 10_000,
  })

const pageSettingsOf = async (heyline: Heyline) => {
  const html = await (await fetch(`${heyline.url}/default`)).text()
  const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  return { html, settings: JSON.parse(data).settings }
}

/** A verifier that says of every token that it is good for the page `default`, and keeps what it was asked. */
async function startVerifier() {
  const asked: Record<string, string>[] = []
  const server: Server = createServer(async (request, response) => {
    asked.push(JSON.parse((await request.setEncoding('utf8').toArray()).join('')))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ success: true, action: 'call-me', cdata: 'default' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { asked, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

describe('with the full gate, Turnstile, live status and a proxy in front', () => {
  let heyline: Heyline
  let verifier: Awaited<ReturnType<typeof startVerifier>>
  beforeAll(async () => {
    verifier = await startVerifier()
    heyline = await start('full', {
      ...OPEN_GATE,
      HUMAN_CHECK: 'turnstile',
      TURNSTILE_SITE_KEY: 'the-site-key',
      TURNSTILE_SECRET_KEY: 'the-key-of-the-verifier',
      TURNSTILE_URL: verifier.url,
      CALL_COUNTRIES: 'US,CA,GB=0.40',
      CALL_LIMIT_ADDRESS: '1/24h',
      LIVE_STATUS: 'on',
      TRUST_PROXY: '1',
    })
  })
  afterAll(async () => {
    await heyline.close()
    verifier.close()
  })

  let tokens = 0
  const call = (phone: string, forwarded: string, token: string | undefined = `token-${++tokens}`) =>
    fetch(`${heyline.url}/-/backend/functions/v1/call-me`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': forwarded,
        ...(token && { 'x-human-check': token }),
      },
      body: JSON.stringify({ phone, slug: 'default' }),
    })
  const statusOf = async (...asked: Parameters<typeof call>) => (await call(...asked)).status

  it('says so at its start, and names what lets more pass than is recommended', () => {
    expect(heyline.banner).toMatch(
      /Calls +our own call desk; all guards are on: US \(0\.25 USD a minute\), CA \(0\.25 USD a minute\), GB \(0\.4 USD a minute\), from 0:00 to 24:00 where it rings\n +at most 180 s a call, 1000000 USD a day, 1000000 USD a month\n +human check by turnstile, live status on\n/,
    )
    expect(heyline.banner).toMatch(
      /Careful: these let more calls pass than is recommended: CALL_COUNTRIES, CALL_LIMIT_NUMBER, CALL_LIMIT_SLUG, /,
    )
    expect(heyline.banner).not.toMatch(/no limits|CALL_LIMIT_ADDRESS,|Careful: HUMAN_CHECK/)
  })

  it('writes down what lets more pass by the names and values that were set', async () => {
    const { secret } = readServerKeys(join(directory, 'full'))
    const { audit } = await runningCalls(heyline.url, secret).status()
    expect(audit.map(({ action, detail }) => [action, detail.setting, detail.value])).toContainEqual([
      'limit_raised',
      'CALL_HOURS',
      '00-24',
    ])
  })

  it('tells the page of the check and where it follows its call, and lets it load the widget', async () => {
    const { html, settings } = await pageSettingsOf(heyline)
    expect(settings).toMatchObject({
      humanCheck: { kind: 'turnstile', siteKey: 'the-site-key' },
      liveStatus: '/-/calls',
    })
    expect(html).not.toContain('the-key-of-the-verifier')
    const policy = (await fetch(`${heyline.url}/default`)).headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self' https:\/\/challenges\.cloudflare\.com;/)
  })

  it('has a request judged by the address that the proxy saw, whatever it says itself', async () => {
    expect(await statusOf('+14155552674', '203.0.113.1')).toBe(202)
    expect(verifier.asked.at(-1)).toEqual({
      secret: 'the-key-of-the-verifier',
      response: 'token-1',
      remoteip: '203.0.113.1',
    })
    expect(await statusOf('+14155552671', '198.51.100.1, 203.0.113.1')).toBe(403)
    expect(await statusOf('+14155552671', '203.0.113.1, 203.0.113.2')).toBe(202)
  })

  it('refuses a request without a token, one of another country, and a call to our own number', async () => {
    expect(await statusOf('+14155552672', '203.0.113.3', '')).toBe(403)
    expect(await statusOf('+33612345678', '203.0.113.4')).toBe(403)
    const refused = await call('+12025550100', '203.0.113.5')
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { code: 'call_refused', message: 'This call is not placed.' },
    ])
  })

  it('streams what becomes of a call to our own pages, and ends with it', async () => {
    const { id } = await (await call('+12025550102', '203.0.113.6')).json()
    const follow = (origin: string) => fetch(`${heyline.url}/-/calls/${id}/events`, { headers: { origin } })
    expect((await follow('https://anywhere.example')).status).toBe(403)
    const answer = await follow(heyline.url)
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(answer.headers.get('access-control-allow-origin')).toBe(heyline.url)
    const text = await answer.text()
    expect(text).toMatch(/data: \{"state":"ended","outcome":"busy"\}\n\n$/)
    expect(text).not.toContain('+1202')
  })

  it('stops while somebody follows a call', async () => {
    const { id } = await (await call('+14155552673', '203.0.113.7')).json()
    const answer = await fetch(`${heyline.url}/-/calls/${id}/events`)
    const told = answer.text()
    await heyline.close()
    expect(await told).toContain('event: state')
  })
})

describe('with altcha on the simulated carrier, and no live status', () => {
  let heyline: Heyline
  const [fresh, former] = ['a-hook-secret-that-is-new', 'a-hook-secret-that-was-used']
  beforeAll(async () => {
    heyline = await start('altcha', {
      HUMAN_CHECK: 'altcha',
      TRUST_PROXY: '2',
      CALL_LIMIT_SLUG: '9/1h',
      PLATFORM_HOOK_SECRET: `${fresh},${former}`,
    })
  })
  afterAll(() => heyline.close())

  it('says which guards are on, and which are set in vain', () => {
    expect(heyline.banner).toMatch(
      /Calls +our own call desk; simulated carrier: only number validity, one call in flight per number, do-not-call list and pause are on; CALL_GATE=full turns all on\n +human check by altcha, live status off\n/,
    )
    expect(heyline.banner).toContain('These settings count only with CALL_GATE=full: CALL_LIMIT_SLUG.')
    expect(heyline.banner).not.toContain('Careful')
  })

  it('makes challenges for our own pages, each for its page', async () => {
    const { settings } = await pageSettingsOf(heyline)
    expect(settings.humanCheck).toEqual({ kind: 'altcha', url: '/-/human-check' })
    const ask = (origin: string) =>
      fetch(`${heyline.url}/-/human-check?slug=default`, { headers: { origin } })
    expect((await ask('https://anywhere.example')).status).toBe(403)
    const answer = await ask(heyline.url)
    expect(answer.headers.get('access-control-allow-origin')).toBe(heyline.url)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await answer.json()).parameters.data).toEqual({ slug: 'default', most: 1000 })
  })

  it.each([
    [fresh, 200],
    [former, 200],
    [`${fresh},${former}`, 401],
  ])('answers a message of the platform with the secret %s with %i', async (secret, status) => {
    const answer = await fetch(`${heyline.url}/-/hooks/platform`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vapi-secret': secret },
      body: JSON.stringify({ message: { type: 'hang', call: { id: 'a-call-of-nobody' } } }),
    })
    expect(answer.status).toBe(status)
  })

  it('has no page follow a call', async () => {
    expect((await pageSettingsOf(heyline)).settings.liveStatus).toBeUndefined()
    const answer = await fetch(`${heyline.url}/-/calls/00000000-0000-4000-8000-000000000000/events`)
    expect([answer.status, (await answer.json()).code]).toEqual([404, 'not_found'])
  })
})
