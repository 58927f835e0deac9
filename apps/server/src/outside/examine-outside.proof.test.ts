import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { TwilioStandIn } from '../../../../packages/voice-platform/src/testing/twilio-stand-in.js'
import type { Finding } from '../doctor/finding.js'
import { findRunningServer } from '../running-server/server-file.js'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { Balancer } from '../testing/balancer.js'
import { runHeyline } from '../testing/heyline-command.js'
import { PRIVATE_KEY, startHostedPlatform } from '../testing/hosted-platform.js'
import { OPEN_GATE } from '../testing/open-gate.js'
import { readServerKeys } from '../testing/server-keys.js'
import { examineOutside } from './examine-outside.js'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const directory = mkdtempSync(join(tmpdir(), 'heyline-outside-'))
const servers: Server[] = []
let front: Balancer
let heyline: Heyline | undefined
let environment: Record<string, string> = {}
beforeAll(async () => {
  front = await Balancer.start()
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})
afterAll(async () => {
  await heyline?.close()
  await front.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** A server behind the test's proxy. */
async function serve(name: string, others: Record<string, string>): Promise<void> {
  await heyline?.close()
  environment = { PORT: '0', DATA_DIR: join(directory, name), PUBLIC_URL: front.url, ...OPEN_GATE, ...others }
  heyline = await startHeyline({
    settings: readSettings(environment),
    logger: pino({ level: 'silent' }),
  })
  const running = await findRunningServer(join(directory, name))
  front.servers = [running?.url ?? expect.unreachable()]
}

const look = async (others: Record<string, string> = {}) => {
  const findings = await examineOutside({ ...environment, ...others })
  return {
    findings,
    verdicts: Object.fromEntries(findings.map(({ check, status }) => [check, status])),
    of: (check: string): Finding | undefined => findings.find((finding) => finding.check === check),
  }
}

/** Another one at the public address. */
async function standIn(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const REACHED = {
  settings: 'ok',
  name: 'warn',
  installation: 'ok',
  microphone: 'ok',
  'client addresses': 'ok',
  'event streams': 'ok',
  bodies: 'ok',
}

describe('with phone calls by Twilio', () => {
  let twilio: TwilioStandIn
  beforeAll(async () => {
    twilio = new TwilioStandIn()
    await twilio.listen()
    await serve('twilio', {
      CARRIER: 'twilio',
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_API_URL: twilio.url,
      TWILIO_CALLER_ID: '+14155552671',
    })
  })
  afterAll(() => twilio.close())

  it('what Twilio has to reach is reached, and Twilio is', async () => {
    const { verdicts, findings } = await look()
    expect(verdicts, JSON.stringify(findings)).toEqual({
      ...REACHED,
      WebSocket: 'ok',
      'Twilio callbacks': 'ok',
      'Twilio audio': 'ok',
      CARRIER: 'ok',
    })
    expect(twilio.calls).toEqual([])
  })

  it('a token that the server does not have is told', async () => {
    const { verdicts, of } = await look({ TWILIO_AUTH_TOKEN: 'a-token-that-nobody-has-given-us' })
    expect(verdicts).toMatchObject({
      'Twilio callbacks': 'fail',
      'Twilio audio': 'fail',
      TWILIO_AUTH_TOKEN: 'fail',
    })
    expect(of('Twilio callbacks')?.mend).toMatch(/same PUBLIC_URL and TWILIO_AUTH_TOKEN/)
  })

  it.each([
    [
      'a proxy without its server',
      (_: unknown, response: Parameters<RequestListener>[1]) => response.writeHead(502).end(),
      /does not reach the server \(502\)/,
    ],
    [
      'a redirect',
      (_: unknown, response: Parameters<RequestListener>[1]) =>
        response.writeHead(301, { location: 'https://www.demo.example/' }).end(),
      /sends everybody on to https:\/\/www\.demo\.example\//,
    ],
    [
      'somebody else',
      (_: unknown, response: Parameters<RequestListener>[1]) => response.end('Welcome!'),
      /somebody else answers .* \(status 200\)/,
    ],
  ])('%s at the address is told, and gets no key', async (_, answer, message) => {
    const asked: string[] = []
    const url = await standIn((request, response) => {
      asked.push(JSON.stringify([request.url, request.headers]))
      answer(request, response)
    })
    const { verdicts, of } = await look({ PUBLIC_URL: url })
    expect(verdicts).toEqual({ settings: 'ok', name: 'warn', installation: 'fail', CARRIER: 'ok' })
    expect(of('installation')?.message).toMatch(message)
    for (const key of Object.values(readServerKeys(environment.DATA_DIR ?? '')))
      expect(asked.join()).not.toContain(key)
  })
})

describe('with a hosted platform', () => {
  let platform: Awaited<ReturnType<typeof startHostedPlatform>>
  beforeAll(async () => {
    platform = await startHostedPlatform()
    await serve('hosted', {
      PLATFORM_URL: platform.url,
      PLATFORM_PUBLIC_KEY: 'public-key-of-the-platform',
      PLATFORM_PRIVATE_KEY: PRIVATE_KEY,
      PLATFORM_ASSISTANT_ID: 'assistant-1',
    })
  })
  afterAll(() => platform[Symbol.asyncDispose]())

  it('its messages reach us, and the platform is reached', async () => {
    const { verdicts, findings } = await look()
    // It has the rooms, so no WebSocket of ours is asked for.
    expect(verdicts, JSON.stringify(findings)).toMatchObject({
      ...REACHED,
      'platform hook': 'ok',
      PLATFORM_PRIVATE_KEY: 'ok',
    })
    expect(verdicts).not.toHaveProperty('WebSocket')
    expect(platform.changes.filter(({ path }) => !path.startsWith('/call/web'))).toEqual([])
  })

  it('a secret that the server does not have is told', async () => {
    const { of } = await look({ PLATFORM_HOOK_SECRET: 'whsec_bm90aGluZyB0aGF0IHRoZSBzZXJ2ZXIgaGFz' })
    expect(of('platform hook')).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/refuses the signature/),
    })
  })
})

describe('the command', () => {
  it('needs an address, and the keys of the server', async () => {
    const { code, out } = await runHeyline(['doctor', '--public'], {})
    expect([code, out]).toEqual([1, expect.stringMatching(/^ok .*\nfail {2}PUBLIC_URL: is not set/)])
    const none = await runHeyline(['doctor', '--public'], {
      PUBLIC_URL: 'http://127.0.0.1:9',
      DATA_DIR: join(directory, 'nobody'),
    })
    expect([none.code, none.out]).toEqual([1, expect.stringMatching(/fail {2}keys: are not known here/)])
  })
})
