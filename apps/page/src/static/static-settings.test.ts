import { SettingError } from '@heyline/kit/setting-error'
import { describe, expect, it } from 'vitest'
import { readStaticSettings } from './static-settings.js'

const env = {
  SUPABASE_URL: 'https://project.example/',
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_key',
  CALL_WEBHOOK_URL: 'https://hooks.example/call?x=1',
  PLATFORM_URL: 'https://platform.example',
  PLATFORM_PUBLIC_KEY: 'platform-public',
  PLATFORM_ASSISTANT_ID: 'assistant',
}

function refusal(changes: Record<string, string | undefined>): string {
  try {
    readStaticSettings({ ...env, ...changes })
  } catch (error) {
    if (error instanceof SettingError) return error.message
    throw error
  }
  return 'nothing was refused'
}

describe('readStaticSettings', () => {
  it('reads the server’s names, with the server’s defaults', () => {
    expect(readStaticSettings(env)).toEqual({
      backendUrl: 'https://project.example',
      backendKey: 'sb_publishable_key',
      callWebhookUrl: 'https://hooks.example/call?x=1',
      platformUrl: 'https://platform.example',
      platformPublicKey: 'platform-public',
      assistantId: 'assistant',
      websiteUrl: 'https://example.com',
      visitorHeader: true,
      logVisitors: true,
      inCallStrip: true,
    })
  })

  it('reads the switches and the website', () => {
    const switches = { VISITOR_HEADER: 'off', LOG_VISITORS: 'off', IN_CALL_STRIP: 'off' }
    expect(readStaticSettings({ ...env, ...switches, WEBSITE_URL: 'https://agency.example/' })).toMatchObject(
      {
        websiteUrl: 'https://agency.example/',
        visitorHeader: false,
        logVisitors: false,
        inCallStrip: false,
      },
    )
  })

  it('tells of opens to the Heyline behind it, and to nobody else', () => {
    const opens = (changes: Record<string, string>) => readStaticSettings({ ...env, ...changes }).opens
    const own = 'https://demo.example/-/opens'
    expect(opens({})).toBeUndefined()
    expect(opens({ SUPABASE_URL: 'https://demo.example/-/backend/' })).toBe(own)
    const CALL_WEBHOOK_URL = 'https://demo.example/-/backend/functions/v1/call-me'
    expect(opens({ CALL_WEBHOOK_URL })).toBe(own)
    expect(opens({ CALL_WEBHOOK_URL, OPENS: 'off' })).toBeUndefined()
    expect(refusal({ OPENS: 'yes' })).toContain('OPENS')
  })

  it('has neither a human check nor a live status, unless they are named', () => {
    for (const HUMAN_CHECK of [undefined, '', 'off'])
      expect(readStaticSettings({ ...env, HUMAN_CHECK, LIVE_STATUS: HUMAN_CHECK })).toEqual(
        readStaticSettings(env),
      )
  })

  it('finds the webhook’s own check and status at the webhook’s origin', () => {
    const own = { CALL_WEBHOOK_URL: 'https://demo.example/-/backend/functions/v1/call-me' }
    expect(readStaticSettings({ ...env, ...own, HUMAN_CHECK: 'altcha', LIVE_STATUS: 'on' })).toMatchObject({
      callWebhookUrl: own.CALL_WEBHOOK_URL,
      humanCheck: { kind: 'altcha', url: 'https://demo.example/-/human-check' },
      liveStatus: 'https://demo.example/-/calls',
    })
  })

  const ours = {
    SUPABASE_URL: 'https://demo.example/-/backend',
    CALL_WEBHOOK_URL: 'https://demo.example/-/backend/functions/v1/call-me',
    PLATFORM_URL: 'https://demo.example/-/platform/',
  }

  it('has the calls made by a Heyline that strangers reach, without a public key', () => {
    const minted = readStaticSettings({ ...env, ...ours, PLATFORM_PUBLIC_KEY: undefined })
    expect(minted).toMatchObject({
      webCallFunction: 'https://demo.example/-/backend/functions/v1/web-call',
      platformPublicKey: 'none',
    })
    expect(minted).not.toHaveProperty('ownPlatform')
  })

  it('starts them itself where WEB_CALLS says so, and on this machine, and tells a platform of ours for whom', () => {
    const local = Object.fromEntries(
      Object.entries(ours).map(([name, url]) => [
        name,
        url.replace('https://demo.example', 'http://localhost:3000'),
      ]),
    )
    for (const changes of [{ ...ours, WEB_CALLS: 'direct' }, local]) {
      const direct = readStaticSettings({ ...env, ...changes })
      expect(direct).toMatchObject({ platformPublicKey: 'platform-public', ownPlatform: true })
      expect(direct).not.toHaveProperty('webCallFunction')
    }
  })

  it('finds the function beside a webhook of ours, else at the backend', () => {
    const of = (changes: Record<string, string>) =>
      readStaticSettings({ ...env, ...changes, WEB_CALLS: 'minted' }).webCallFunction
    expect(of({})).toBe('https://project.example/functions/v1/web-call')
    expect(of({ CALL_WEBHOOK_URL: ours.CALL_WEBHOOK_URL })).toBe(
      'https://demo.example/-/backend/functions/v1/web-call',
    )
    expect(refusal({ WEB_CALLS: 'on' })).toBe('WEB_CALLS: "on" is neither minted nor direct')
  })

  it('takes the site key of Turnstile, and needs it', () => {
    const turnstile = { HUMAN_CHECK: 'turnstile', TURNSTILE_SITE_KEY: '0x4AAA' }
    expect(readStaticSettings({ ...env, ...turnstile }).humanCheck).toEqual({
      kind: 'turnstile',
      siteKey: '0x4AAA',
    })
    expect(refusal({ HUMAN_CHECK: 'turnstile' })).toMatch(
      /^TURNSTILE_SITE_KEY: is needed by a static build: set it to the site key/,
    )
    expect(refusal({ ...turnstile, TURNSTILE_SECRET_KEY: '0x4AAA' })).toBe(
      'TURNSTILE_SITE_KEY: the value is the same as TURNSTILE_SECRET_KEY, and everybody can read a page: give the public key',
    )
  })

  it('refuses a HUMAN_CHECK that there is not, and a LIVE_STATUS that is no switch', () => {
    expect(refusal({ HUMAN_CHECK: 'on' })).toBe('HUMAN_CHECK: "on" is neither altcha nor turnstile nor off')
    expect(refusal({ LIVE_STATUS: 'yes' })).toBe('LIVE_STATUS: "yes" is neither on nor off')
  })

  it('has a link for privacy only where an address is given', () => {
    const privacyUrl = 'https://example.com/privacy'
    expect(readStaticSettings({ ...env, PRIVACY_URL: privacyUrl })).toMatchObject({ privacyUrl })
    expect(readStaticSettings({ ...env, PRIVACY_URL: '' })).not.toHaveProperty('privacyUrl')
    expect(refusal({ PRIVACY_URL: 'javascript:alert(1)' })).toMatch(/^PRIVACY_URL: .* is not an http/)
  })

  it('cuts a slash only where paths are added behind it', () => {
    const slashed = ['SUPABASE_URL', 'CALL_WEBHOOK_URL', 'PLATFORM_URL', 'WEBSITE_URL'] as const
    const urls = Object.fromEntries(slashed.map((name) => [name, 'https://end.example/path/']))
    expect(readStaticSettings({ ...env, ...urls })).toMatchObject({
      backendUrl: 'https://end.example/path',
      callWebhookUrl: 'https://end.example/path/',
      platformUrl: 'https://end.example/path',
      websiteUrl: 'https://end.example/path/',
    })
  })

  it('takes an empty value for none', () => {
    expect(readStaticSettings({ ...env, WEBSITE_URL: '', LOG_VISITORS: '' })).toEqual(readStaticSettings(env))
  })

  it.each(Object.keys(env))('needs %s', (name) => {
    for (const value of [undefined, ''])
      expect(refusal({ [name]: value })).toMatch(
        new RegExp(`^${name}: is needed by a static build: set it to `),
      )
  })

  it.each(['SUPABASE_URL', 'CALL_WEBHOOK_URL', 'PLATFORM_URL', 'WEBSITE_URL'])('refuses a bad %s', (name) => {
    for (const value of ['project.example', 'ftp://project.example', '/-/backend'])
      expect(refusal({ [name]: value })).toBe(`${name}: "${value}" is not an http:// or https:// address`)
    const withPassword = refusal({ [name]: 'https://me:hush@project.example' })
    expect(withPassword).toMatch(new RegExp(`^${name}: holds a user name or password`))
    expect(withPassword).not.toContain('hush')
  })

  it.each(['VISITOR_HEADER', 'LOG_VISITORS', 'IN_CALL_STRIP'])('refuses a %s that is no switch', (name) => {
    expect(refusal({ [name]: 'true' })).toBe(`${name}: "true" is neither on nor off`)
  })

  it.each(['SUPABASE_PUBLISHABLE_KEY', 'PLATFORM_PUBLIC_KEY'])(
    'refuses a secret as %s, without showing it',
    (name) => {
      expect(refusal({ [name]: 'sb_secret_hush' })).toBe(
        `${name}: the value is a secret key (sb_secret_…), and everybody can read a page: give the public key`,
      )
      expect(refusal({ [name]: 'key # of whom' })).toBe(`${name}: the value holds a space`)
    },
  )

  it.each([
    ['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_SECRET_KEY'],
    ['PLATFORM_PUBLIC_KEY', 'PLATFORM_PRIVATE_KEY'],
  ])('refuses as %s what is also the %s', (name, secret) => {
    expect(refusal({ [name]: 'hush', [secret]: 'hush' })).toBe(
      `${name}: the value is the same as ${secret}, and everybody can read a page: give the public key`,
    )
  })

  it('names the first of several bad values, in one line', () => {
    const message = refusal({ SUPABASE_URL: 'x', PLATFORM_URL: 'y' })
    expect(message).toMatch(/^SUPABASE_URL: /)
    expect(message).not.toContain('\n')
  })
})
