import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'

const logger = pino({ level: 'silent' })
const directory = mkdtempSync(join(tmpdir(), 'heyline-hosted-'))
afterAll(() => rmSync(directory, { recursive: true }))

const start = (name: string, environment: Record<string, string>) =>
  startHeyline({
    settings: readSettings({ PORT: '0', DATA_DIR: join(directory, name), ...environment }),
    logger,
  })

describe('with every wire hosted elsewhere', () => {
  let heyline: Heyline
  beforeAll(async () => {
    heyline = await start('hosted', {
      // Nothing listens there: lookups fail at once, and the page says so.
      SUPABASE_URL: 'http://127.0.0.1:9',
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_the_project',
      SUPABASE_SECRET_KEY: 'sb_secret_of_the_project',
      PLATFORM_URL: 'https://api.vapi.ai',
      PLATFORM_PUBLIC_KEY: 'public-key-of-the-platform',
      PLATFORM_PRIVATE_KEY: 'private-key-of-the-platform',
      PLATFORM_ASSISTANT_ID: 'assistant-of-the-platform',
      CALL_WEBHOOK_URL: 'https://hooks.example/call-me',
      VISITOR_HEADER: 'off',
      LOG_VISITORS: 'off',
      IN_CALL_STRIP: 'off',
      HUMAN_CHECK: 'altcha',
      LIVE_STATUS: 'on',
    })
  })
  afterAll(() => heyline.close())
  const get = (path: string) => fetch(`${heyline.url}${path}`)

  it('says which ends they are', () => {
    expect(heyline.banner).toMatch(/Backend +http:\/\/127\.0\.0\.1:9\n/)
    expect(heyline.banner).toMatch(
      /Calls +https:\/\/hooks\.example\/call-me; our call desk, its limits, human check and live status are off/,
    )
    expect(heyline.banner).toMatch(/Platform +https:\/\/api\.vapi\.ai\n/)
    expect(heyline.banner).not.toContain('/-/phone')
    expect(heyline.banner).not.toContain('Careful')
  })

  it('serves no accounts of its own beside those of the project', async () => {
    const answer = await get('/-/backend/auth/v1/settings')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ message: 'This wire is hosted elsewhere: see SUPABASE_URL' })
  })

  it('tells the page their addresses and public keys, and no secret', async () => {
    const answer = await get('/default')
    expect(answer.status).toBe(503)
    const html = await answer.text()
    const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
    expect(JSON.parse(data).settings).toEqual({
      backendUrl: 'http://127.0.0.1:9',
      backendKey: 'sb_publishable_of_the_project',
      callWebhookUrl: 'https://hooks.example/call-me',
      platformUrl: 'https://api.vapi.ai',
      platformPublicKey: 'public-key-of-the-platform',
      assistantId: 'assistant-of-the-platform',
      websiteUrl: 'https://example.com',
      visitorHeader: false,
      logVisitors: false,
      inCallStrip: false,
      opens: '/-/opens',
    })
    expect(html).not.toMatch(/sb_secret|private-key/)
    expect(answer.headers.get('content-security-policy')).toContain(
      'https://hooks.example https://api.vapi.ai',
    )
  })

  it.each([
    ['/-/backend/rest/v1/visitors', 404],
    ['/-/platform/call', 404],
    ['/-/hooks/platform', 404],
    ['/-/human-check', 404],
    ['/-/phone', 404],
    ['/-/health', 200],
  ])('answers %s with %i', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })

  it('says that its own desk is off', async () => {
    const answer = await fetch(`${heyline.url}/-/backend/functions/v1/call-me`, {
      method: 'POST',
      body: '{}',
    })
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { code: 'desk_off', message: 'The call desk is off: CALL_WEBHOOK_URL names another' },
    ])
  })
})

it('has all guards on where the carrier is no simulation', async () => {
  const heyline = await start('twilio', {
    CARRIER: 'twilio',
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
    TWILIO_AUTH_TOKEN: 'a-token-of-the-account',
    TWILIO_API_URL: 'http://127.0.0.1:9',
    TWILIO_CALLER_ID: '+14155552671',
    COMPANY_NAME: 'Acme',
  })
  expect(heyline.banner).toMatch(
    /Calls +our own call desk; all guards are on: US .*, CA .*, from 9:00 to 20:00 where it rings\n +at most 180 s a call, 10 USD a day, 100 USD a month\n +human check by altcha/,
  )
  expect(heyline.banner).toContain('Twilio was not asked')
  expect(heyline.banner).toMatch(/phone calls by Twilio/)
  expect((await fetch(`${heyline.url}/-/phone`)).status).toBe(404)
  expect((await fetch(`${heyline.url}/-/carriers/twilio/status/x`, { method: 'POST' })).status).toBe(403)
  await heyline.close()
})

it('has all guards on where a phone of the office rings', async () => {
  const heyline = await start('sip', { CARRIER: 'sip', SIP_TO: 'sip:desk@127.0.0.1', COMPANY_NAME: 'Acme' })
  expect(heyline.banner).toMatch(/our own call desk; all guards are on/)
  expect(heyline.banner).toMatch(/phone calls by SIP/)
  expect((await fetch(`${heyline.url}/-/phone`)).status).toBe(404)
  await heyline.close()
})
