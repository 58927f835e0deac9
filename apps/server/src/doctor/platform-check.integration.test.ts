import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PlatformClient } from '@heyline/platform-client'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { setUpHooks } from '../platform-setup/set-up-platform.js'
import { readSettings } from '../settings/settings.js'
import { type HostedPlatformStandIn, PRIVATE_KEY, startHostedPlatform } from '../testing/hosted-platform.js'
import { checkPlatform } from './platform-check.js'

const PUBLIC_URL = 'https://demo.example.com'
const SECRET = 'a-hook-secret-of-24-characters-and-more'
const platforms: HostedPlatformStandIn[] = []
let platform: HostedPlatformStandIn
beforeEach(async () => {
  platform = await startHostedPlatform()
  platforms.push(platform)
})
afterAll(() => Promise.all(platforms.map((each) => each[Symbol.asyncDispose]())))

const checked = async (environment: Record<string, string>) => {
  const settings = readSettings({
    DATA_DIR: '/none',
    PLATFORM_URL: platform.url,
    PLATFORM_PUBLIC_KEY: 'public-key',
    PLATFORM_PRIVATE_KEY: PRIVATE_KEY,
    PLATFORM_ASSISTANT_ID: 'assistant-1',
    ...environment,
  })
  return settings.platform ? await checkPlatform(settings.platform, settings) : []
}

describe("a hosted platform's messages", () => {
  const found = async (environment: Record<string, string>) =>
    (await checked(environment)).filter(({ check }) => check === 'platform messages')

  it('are missed where the assistant does not send them to us', async () => {
    const setup = { status: 'warn', mend: 'run heyline platform setup' }
    expect(await found({ PUBLIC_URL })).toMatchObject([setup])
    expect(await found({})).toMatchObject([
      { mend: expect.stringMatching(/^set PUBLIC_URL .*then run heyline platform setup/) },
    ])
    expect(await found({ PUBLIC_URL, CALL_WEBHOOK_URL: 'https://hooks.example.com/call' })).toEqual([])
    const server = { url: `${PUBLIC_URL}/-/hooks/platform` }
    platform.assistants.set('assistant-1', { id: 'assistant-1', server })
    expect(await found({ PUBLIC_URL })).toMatchObject([setup])
    Object.assign(server, { credentialId: 'gone' })
    expect(await found({ PUBLIC_URL })).toMatchObject([setup])
    platform.forbidden.add('credential')
    expect(await found({ PUBLIC_URL })).toMatchObject([
      { status: 'warn', message: expect.stringMatching(/could not be read/) },
    ])
  })

  it('are well after a setup, and refused with another secret', async () => {
    await setUpHooks({
      platform: new PlatformClient({ token: PRIVATE_KEY, baseUrl: platform.url }),
      assistantId: 'assistant-1',
      hookUrl: `${PUBLIC_URL}/-/hooks/platform`,
      hookSecret: SECRET,
      dryRun: false,
    })
    const having = (PLATFORM_HOOK_SECRET: string) => found({ PUBLIC_URL, PLATFORM_HOOK_SECRET })
    expect(await having(SECRET)).toEqual([
      expect.objectContaining({ status: 'ok', message: expect.stringMatching(/signed with our secret/) }),
    ])
    const other = 'another-hook-secret-of-24-characters'
    expect(await having(other)).toMatchObject([
      { status: 'warn', message: expect.stringMatching(/another secret than PLATFORM_HOOK_SECRET/) },
    ])
    expect(await having(`${other},${SECRET}`)).toMatchObject([
      { status: 'warn', mend: expect.stringMatching(/^run heyline platform setup, then take/) },
    ])
    const [credential] = platform.credentials.values()
    Object.assign(Object(credential), { name: 'made by hand' })
    expect(await having(SECRET)).toMatchObject([{ status: 'ok' }])
  })
})

it('finds no platform in a server of web pages, and nothing of the keys', async () => {
  const server = createServer((_, response) => response.end('<html></html>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const findings = await checked({ PLATFORM_URL: `http://127.0.0.1:${port}` })
  expect(findings.map(({ check, status }) => [check, status])).toEqual([['PLATFORM_URL', 'fail']])
  server.closeAllConnections()
  server.close()
})
