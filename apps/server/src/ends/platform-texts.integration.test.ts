import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openKeyRing } from '../keys/key-ring.js'
import { readSettings } from '../settings/settings.js'
import { openPlatform, type PlatformEnd } from './platform-end.js'

const TEXT = { to: '+12025550123', body: 'Your code is 424242' }

const directory = mkdtempSync(join(tmpdir(), 'heyline-texts-'))
const logger = pino({ level: 'silent' })
let db: Db
const ends: PlatformEnd[] = []
beforeAll(async () => {
  db = await openTestDb()
})
afterEach(() => Promise.all(ends.splice(0).map((end) => end.close())))
afterAll(async () => {
  await db.close()
  rmSync(directory, { recursive: true })
})

async function open(environment: Record<string, string>): Promise<PlatformEnd> {
  const end = await openPlatform({
    settings: readSettings({ DATA_DIR: directory, ...environment }),
    db,
    keys: openKeyRing(directory, {}),
    publicUrl: 'http://localhost:3000',
    gate: {
      admit: async () => ({ admitted: false, status: 503, message: 'No browser calls here.' }),
      payTurn: async () => true,
      refusedLately: () => undefined,
    },
    addressOf: () => undefined,
    fetch,
    logger,
  })
  ends.push(end)
  return end
}

it('texts go out by our own carrier, from the number that calls are made from', async () => {
  const sent: URLSearchParams[] = []
  const twilio = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(500).end()
    sent.push(new URLSearchParams(await text(request)))
    response.writeHead(201).end('{"sid":"SM1","status":"queued"}')
  })
  await new Promise<void>((resolve) => twilio.listen(0, '127.0.0.1', resolve))
  const settings = {
    CARRIER: 'twilio',
    TWILIO_ACCOUNT_SID: 'AC0',
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_CALLER_ID: '+14155552671',
    TWILIO_API_URL: `http://127.0.0.1:${(twilio.address() as AddressInfo).port}`,
  }
  const { rows } = await db.query<{ id: string }>(
    `insert into voice_platform.phone_numbers (number) values ('+12025550177') returning id`,
  )
  await (await open(settings)).sendText?.(TEXT)
  const named = { ...settings, TWILIO_CALLER_ID: '', PLATFORM_PHONE_NUMBER_ID: rows[0]?.id ?? '' }
  await (await open(named)).sendText?.(TEXT)
  expect(sent.map((form) => Object.fromEntries(form))).toEqual([
    { To: TEXT.to, From: '+14155552671', Body: TEXT.body },
    { To: TEXT.to, From: '+12025550177', Body: TEXT.body },
  ])
  twilio.closeAllConnections()
  twilio.close()
})

it('there is nobody to send texts where the platform is hosted elsewhere', async () => {
  const end = await open({
    PLATFORM_URL: 'https://platform.example',
    PLATFORM_PUBLIC_KEY: 'public',
    PLATFORM_PRIVATE_KEY: 'private',
    PLATFORM_ASSISTANT_ID: 'assistant',
    PLATFORM_PHONE_NUMBER_ID: 'number',
  })
  expect(end.sendText).toBeUndefined()
})
