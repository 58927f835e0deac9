import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { readServerKeys } from '../testing/server-keys.js'

/** Texts that Postgres cannot store, at every door. */
const directory = mkdtempSync(join(tmpdir(), 'heyline-unstorable-'))
const errors: unknown[] = []
let heyline: Heyline
let url: string
let keys: ReturnType<typeof readServerKeys>
beforeAll(async () => {
  heyline = await startHeyline({
    settings: readSettings({ PORT: '0', DATA_DIR: directory, WEB_CALLS: 'minted' }),
    logger: pino(
      { base: undefined, level: 'error' },
      { write: (line: string) => void errors.push(JSON.parse(line)) },
    ),
  })
  url = JSON.parse(readFileSync(join(directory, 'server.json'), 'utf8')).url
  keys = readServerKeys(directory)
})
afterAll(async () => {
  await heyline.close()
  rmSync(directory, { recursive: true })
})

async function ask(method: string, path: string, body: string | undefined, key: string) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, apikey: key, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  return { status: answer.status, text: await answer.text() }
}

describe('the operator API', () => {
  it.each([
    ['GET', '/calls?slug=%00', undefined, 'slug'],
    ['GET', '/calls?after=%00', undefined, 'after'],
    ['GET', '/calls/search?text=a%00', undefined, 'text'],
    ['GET', '/timeline/events?slug=a%00', undefined, 'slug'],
    ['GET', '/timeline/export?slug=a%00', undefined, 'slug'],
    ['GET', '/timeline/visitor?slug=a%00', undefined, 'slug'],
    ['POST', '/do-not-call/list', String.raw`{"after": "\u0000"}`, 'after'],
    ['POST', '/visitors/links', String.raw`{"slugs": ["a\ud800"]}`, 'slugs.0'],
    ['POST', '/visitors/links', String.raw`{"slugs": ["a", "\u0000"]}`, 'slugs.1'],
  ])('refuses %s %s (%s) by the name of the field', async (method, path, body, field) => {
    const { status, text } = await ask(method, `/-/office${path}`, body, keys.secret)
    expect([status, JSON.parse(text)]).toEqual([
      400,
      {
        code: 'invalid_request',
        message: `${field} has characters that cannot be stored (NUL or half a surrogate pair)`,
        field,
      },
    ])
  })
})

it.each([
  ['GET', '/-/platform/v2/call?idAny=%00', undefined],
  ['GET', '/-/platform/v2/call?customerNumber=%00', undefined],
  ['GET', '/-/platform/call?assistantId=%00', undefined],
  ['GET', '/-/platform/assistant/%00', undefined],
  ['POST', '/-/platform/assistant', String.raw`{"name": "a\u0000"}`],
  ['POST', '/-/platform/assistant', String.raw`{"name": "a\ud800"}`],
  ['GET', '/-/backend/rest/v1/visitors?slug=eq.%00', undefined],
  ['GET', '/-/backend/rest/v1/visitors?select=%00', undefined],
  ['POST', '/-/backend/rest/v1/visitors', String.raw`{"slug": "a\u0000", "name": "A"}`],
  ['POST', '/-/backend/rest/v1/visitors', String.raw`{"slug": "a\ud800", "name": "A"}`],
  ['POST', '/-/backend/auth/v1/recover', String.raw`{"email": "a\u0000@example.com"}`],
  ['POST', '/-/backend/auth/v1/recover', String.raw`{"email": "a\ud800@example.com"}`],
  ['POST', '/-/backend/functions/v1/call-me', String.raw`{"phone": "+1415\u00005552671", "slug": "a\u0000"}`],
  ['POST', '/-/backend/functions/v1/web-call', String.raw`{"slug": "a\ud800"}`],
  ['POST', '/-/hooks/platform', String.raw`{"message": {"type": "status-update", "call": {"id": "\u0000"}}}`],
  ['POST', '/-/opens', String.raw`{"slug": "\u0000"}`],
  ['GET', '/%00', undefined],
  ['GET', '/-/previews/%00.png', undefined],
  ['GET', '/-/backend/functions/v1/challenge?slug=%00', undefined],
])('is no fault of the server: %s %s %s', async (method, path, body) => {
  const before = errors.length
  const secret = path.startsWith('/-/platform') ? keys.platformPrivate : keys.secret
  const { status, text } = await ask(method, path, body, secret)
  expect(status, text).toBeGreaterThanOrEqual(200)
  expect(status, text).toBeLessThan(500)
  expect(errors.slice(before)).toEqual([])
})
