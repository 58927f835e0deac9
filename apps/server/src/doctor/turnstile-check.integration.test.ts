import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { examine } from './doctor.js'
import { checkTurnstile } from './turnstile-check.js'

let server: Server
let url: string
/** What the verifier says next, and what it was asked. */
let answer: [number, string]
let asked: string
beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked = (await request.setEncoding('utf8').toArray()).join('')
    response.writeHead(answer[0]).end(answer[1])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const settings = () => ({
  HUMAN_CHECK: 'turnstile',
  TURNSTILE_SITE_KEY: 'site',
  TURNSTILE_SECRET_KEY: 'hush',
  TURNSTILE_URL: url,
})

async function found(environment: Record<string, string> = {}) {
  const { calls } = readSettings({ ...settings(), ...environment })
  return (await checkTurnstile(calls.humanCheck)).map(({ check, status }) => [check, status])
}
const refusing = (...codes: string[]) => JSON.stringify({ success: false, 'error-codes': codes })

it.each<[number, string, string, string]>([
  [200, refusing('invalid-input-response'), 'TURNSTILE_SECRET_KEY', 'ok'],
  [200, refusing('invalid-input-secret'), 'TURNSTILE_SECRET_KEY', 'fail'],
  [200, refusing('internal-error'), 'TURNSTILE_SECRET_KEY', 'warn'],
  [200, JSON.stringify({ success: true }), 'TURNSTILE_SECRET_KEY', 'warn'],
  [200, '<html></html>', 'TURNSTILE_URL', 'fail'],
])('finds of a verifier that answers %i %s: %s %s', async (status, text, check, verdict) => {
  answer = [status, text]
  expect(await found()).toEqual([[check, verdict]])
  expect(JSON.parse(asked)).toMatchObject({ secret: 'hush' })
})

it('names a verifier that is not there, and asks none where none is set', async () => {
  expect(await found({ TURNSTILE_URL: 'http://127.0.0.1:9' })).toEqual([['TURNSTILE_URL', 'fail']])
  expect(await checkTurnstile({ kind: 'altcha' })).toEqual([])
})

it('is a part of the doctor', async () => {
  answer = [200, refusing('invalid-input-response')]
  const findings = await examine({ PORT: '0', DATA_DIR: join(tmpdir(), 'heyline-none'), ...settings() })
  expect(findings).toContainEqual(expect.objectContaining({ check: 'TURNSTILE_SECRET_KEY', status: 'ok' }))
})
