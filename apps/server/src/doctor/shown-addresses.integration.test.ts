import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { checkBackend } from './backend-check.js'
import { checkWebhook } from './calls-check.js'
import { checkEngines } from './engines-check.js'
import { checkPlatform } from './platform-check.js'
import { checkTurnstile } from './turnstile-check.js'
import { checkTwilio } from './twilio-check.js'

const ORIGIN = 'https://demo.example'
/** Nobody listens there. */
const NOBODY = 'http://127.0.0.1:9/v1?key=hush'
const WITH_PASSWORD = 'https://hush:hush@127.0.0.1:9/v1'

const platformAt = (url: string) => ({
  ...{ url, publicKey: 'public', privateKey: 'private', assistantId: 'assistant-1' },
})
const backendAt = (url: string) =>
  checkBackend({
    ...{ backend: { url, publishableKey: 'publishable' }, visitorHeader: true },
    ...{ webCalls: 'minted', origin: ORIGIN },
  })

it.each([NOBODY, WITH_PASSWORD])('the doctor names %s without what opens it', async (url) => {
  const settings = readSettings({ DATA_DIR: '/none' })
  const findings = await Promise.all([
    checkEngines({ ...settings, engines: { model: { url } } }, false),
    checkWebhook(url, ORIGIN),
    checkPlatform(platformAt(url), settings),
    backendAt(url),
    checkTurnstile({ kind: 'turnstile', siteKey: 'site', secretKey: 'secret', url }),
    checkTwilio({ accountSid: 'AC1', authToken: 'token', apiUrl: url, machineDetection: false }),
  ])
  for (const finding of findings)
    expect([finding].flat()).toMatchObject([{ message: expect.stringMatching(/127\.0\.0\.1:9.* can't be/) }])
  expect(JSON.stringify(findings)).not.toContain('hush')
})

it('the doctor says what an engine answers without what opens it', async () => {
  let status = 200
  const server = createServer((_, response) => response.writeHead(status).end('{"data":[{"id":"other"}]}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const model = { url: `http://127.0.0.1:${port}/v1?key=hush`, name: 'mine' }
  const voice = { url: `wss://hush:hush@127.0.0.1:${port}/?token=hush`, kind: 'deepgram' } as const
  const settings = { ...readSettings({ DATA_DIR: '/none' }), engines: { model, voice } }
  const said = []
  for (status of [200, 401, 500]) said.push(...(await checkEngines(settings, false)))
  server.closeAllConnections()
  server.close()
  expect(new Set(said.map(({ check }) => check))).toEqual(
    new Set(['MODEL_NAME', 'MODEL_KEY', 'MODEL_URL', 'VOICE_URL']),
  )
  expect(JSON.stringify(said)).not.toContain('hush')
})
