import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { type HostedPlatformStandIn, PRIVATE_KEY, startHostedPlatform } from '../testing/hosted-platform.js'
import { checkPlatform } from './platform-check.js'

describe("a hosted platform's messages", () => {
  let platform: HostedPlatformStandIn
  beforeAll(async () => {
    platform = await startHostedPlatform()
  })
  afterAll(() => platform[Symbol.asyncDispose]())
  const found = async (environment: Record<string, string>) => {
    const settings = readSettings({
      PLATFORM_URL: platform.url,
      PLATFORM_PUBLIC_KEY: 'public-key',
      PLATFORM_PRIVATE_KEY: PRIVATE_KEY,
      PLATFORM_ASSISTANT_ID: 'assistant-1',
      ...environment,
    })
    const findings = settings.platform ? await checkPlatform(settings.platform, settings) : []
    return findings.filter(({ check }) => check === 'platform messages').map(({ mend }) => mend)
  }
  const PUBLIC_URL = 'https://demo.example.com'

  it('are missed where the assistant does not send them to us', async () => {
    expect(await found({ PUBLIC_URL })).toEqual(['run heyline platform setup'])
    expect(await found({})).toEqual([
      expect.stringMatching(/^set PUBLIC_URL .*then run heyline platform setup/),
    ])
    expect(await found({ PUBLIC_URL, CALL_WEBHOOK_URL: 'https://hooks.example.com/call' })).toEqual([])
    platform.assistants.set('assistant-1', { server: { url: `${PUBLIC_URL}/-/hooks/platform` } })
    expect(await found({ PUBLIC_URL })).toEqual([])
  })
})
