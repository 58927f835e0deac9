import { describe, expect, it } from 'vitest'
import { conversationsByCores, readSettings } from './settings.js'

const refusal = (env: Record<string, string>) => {
  try {
    readSettings(env)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'accepted'
}

describe('settings', () => {
  it('work with nothing set', () => {
    const settings = readSettings({})
    expect(settings).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDirectory: './data',
    })
    expect(settings.backend).toBeUndefined()
    expect(settings.platform).toBeUndefined()
    expect(settings.engines).toEqual({})
  })

  it('keep connections open for longer behind a proxy, unless told how long', () => {
    expect(readSettings({}).keepAliveMs).toBe(5_000)
    expect(readSettings({ TRUST_PROXY: '1' }).keepAliveMs).toBe(75_000)
    expect(readSettings({ TRUST_PROXY: '1', KEEP_ALIVE_SECONDS: '30' }).keepAliveMs).toBe(30_000)
  })

  it('take an empty value for none', () => {
    expect(readSettings({ PORT: '', SUPABASE_URL: '' }).port).toBe(3000)
  })

  it.each([
    [{ PORT: 'abc' }, 'PORT: "abc" is not a port (0 to 65535)'],
    [{ PORT: '70000' }, 'PORT: "70000" is not a port (0 to 65535)'],
    [{ PUBLIC_URL: 'example.com' }, 'PUBLIC_URL: "example.com" is not an http:// or https:// address'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: the value is not a postgres:// or postgresql:// address'],
    [
      { DATABASE_DIRECT_URL: 'mysql://x', DATABASE_URL: 'postgres://x' },
      'DATABASE_DIRECT_URL: the value is not a postgres:// or postgresql:// address',
    ],
    [
      { DATABASE_DIRECT_URL: 'postgres://x' },
      'DATABASE_DIRECT_URL: has no effect without DATABASE_URL: set that too, or unset this',
    ],
    [{ DATABASE_POOL: '3' }, 'DATABASE_POOL: "3" is not a whole number from 4 to 200'],
    [{ KEEP_ALIVE_SECONDS: '0' }, 'KEEP_ALIVE_SECONDS: "0" is not a whole number from 1 to 3600'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: "loud" is none of error, warn, info and debug'],
    [
      { INSTANCE_ID: 'a b' },
      'INSTANCE_ID: "a b" is no name of 1 to 64 letters, digits, dots, hyphens and underscores that begins with a letter or digit',
    ],
    [{ LOG_VISITORS: 'yes' }, 'LOG_VISITORS: "yes" is neither on nor off'],
    [{ VISITOR_ACCESS: 'all' }, 'VISITOR_ACCESS: "all" is neither slug nor open'],
    [{ CARRIER: 'pigeon' }, 'CARRIER: "pigeon" is none of simulated, twilio and sip'],
    [
      { ALLOWED_ORIGINS: 'https://a.example, b.example' },
      'ALLOWED_ORIGINS: "https://a.example, b.example" holds "b.example", which is not an origin like https://example.com',
    ],
    [{ PHONE_KEY: 'short' }, 'PHONE_KEY: the value is shorter than 16 characters'],
    [{ PHONE_KEY: 'a key with a comment behind it' }, 'PHONE_KEY: the value holds a space'],
    [
      { PUBLIC_URL: 'https://demo.example/path' },
      'PUBLIC_URL: "https://demo.example/path" is not an origin like https://example.com: leave out what stands behind the host',
    ],
    [{ MODEL_KEY: 'sk-1' }, 'MODEL_KEY: has no effect without MODEL_URL: set that too, or unset this'],
    [{ RECORDING: 'all' }, 'RECORDING: "all" is neither on nor off'],
    [{ RECORDING_FORMAT: 'mp3' }, 'RECORDING_FORMAT: "mp3" is neither ogg nor wav'],
    [{ EVENTS_URL: 'https://a.example' }, 'EVENTS_SECRET: is needed with EVENTS_URL'],
    [
      { EVENTS_SECRET: `whsec_${'a'.repeat(32)}` },
      'EVENTS_SECRET: has no effect without EVENTS_URL: set that too, or unset this',
    ],
    [
      { EVENTS_URL: 'https://a.example', EVENTS_SECRET: 'whsec_short' },
      'EVENTS_SECRET: the value is not whsec_ and 24 to 64 bytes in base64: `echo whsec_$(openssl rand -base64 32)` makes one',
    ],
    [
      { EVENTS_URL: 'http://a.example' },
      'EVENTS_URL: the address is not encrypted: it has to begin with https:// (http:// only with EVENTS_ALLOW_PRIVATE=on)',
    ],
    [
      { EVENTS_URL: 'https://10.0.0.1/x' },
      'EVENTS_URL: the address is refused, because its address is a private network',
    ],
    [
      { EVENTS_URL: 'http://169.254.169.254', EVENTS_ALLOW_PRIVATE: 'on' },
      'EVENTS_URL: the address is refused, because its address is link-local, as the metadata service of a cloud is',
    ],
    [{ EVENTS_ALLOW_PRIVATE: 'yes' }, 'EVENTS_ALLOW_PRIVATE: "yes" is neither on nor off'],
    [
      { TRUST_PROXY: 'loopback' },
      'TRUST_PROXY: "loopback" is neither off nor the number of proxies in front of the server (0 to 10)',
    ],
    [
      { TRUST_PROXY: '11' },
      'TRUST_PROXY: "11" is neither off nor the number of proxies in front of the server (0 to 10)',
    ],
    [
      { PLATFORM_HOOK_SECRET: `${'a'.repeat(24)},b` },
      'PLATFORM_HOOK_SECRET: the value is shorter than 24 characters',
    ],
    [
      { PLATFORM_HOOK_SECRET: ['a', 'b', 'c'].map((letter) => letter.repeat(24)).join() },
      'PLATFORM_HOOK_SECRET: the value holds more than two secrets, separated by commas',
    ],
    [{ SUPABASE_URL: 'https://x.supabase.co' }, 'SUPABASE_PUBLISHABLE_KEY: is needed with SUPABASE_URL'],
    [{ PLATFORM_URL: 'https://api.vapi.ai' }, 'PLATFORM_PUBLIC_KEY: is needed with PLATFORM_URL'],
    [{ CARRIER: 'twilio' }, 'TWILIO_ACCOUNT_SID: is needed with CARRIER=twilio'],
    [
      { CARRIER: 'twilio', TWILIO_CALLER_ID: '+14155552671', PLATFORM_PHONE_NUMBER_ID: 'x' },
      'TWILIO_CALLER_ID: and PLATFORM_PHONE_NUMBER_ID both say which number calls: unset one',
    ],
    [
      { TWILIO_CALLER_ID: '0415' },
      'TWILIO_CALLER_ID: "0415" is not a phone number in the E.164 format, such as +14155552671',
    ],
  ])('name what is wrong with %j', (env, message) => {
    expect(refusal(env)).toBe(message)
  })

  it('record nothing but with an announcement', () => {
    const recording = (env: NodeJS.ProcessEnv) => readSettings(env).recording
    expect(recording({})).toEqual({ everyCall: false, announcement: undefined, format: 'ogg', days: 30 })
    expect(recording({ RECORDING: 'on', RECORDING_ANNOUNCEMENT: '' })).toMatchObject({
      everyCall: true,
      announcement: 'This call is recorded.',
    })
    expect(recording({ RECORDING_ANNOUNCEMENT: 'We record.', RECORDING_FORMAT: 'wav' })).toMatchObject({
      everyCall: false,
      announcement: 'We record.',
      format: 'wav',
    })
  })

  it('know how many proxies stand in front, or that nobody has said', () => {
    const proxies = ['', 'off', '0', '2'].map((value) => readSettings({ TRUST_PROXY: value }).trustProxy)
    expect(proxies).toEqual([undefined, 0, 0, 2])
  })

  it('take a hook secret with the one whose place it takes', () => {
    const [fresh, former] = ['a'.repeat(24), 'b'.repeat(24)]
    const { keys, formerHookSecret } = readSettings({ PLATFORM_HOOK_SECRET: `${fresh},${former}` })
    expect([keys.hookSecret, formerHookSecret]).toEqual([fresh, former])
    expect(readSettings({ PLATFORM_HOOK_SECRET: `${fresh}` }).formerHookSecret).toBeUndefined()
  })

  it('take words from the browser while only this machine can reach the server, or as they are told', () => {
    const open = {
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://demo.example',
      PHONE_KEY: 'a-key-of-sixteen-or-more',
    }
    expect(readSettings({}).browserTranscriber).toBe(true)
    expect(readSettings({ PUBLIC_URL: 'http://localhost:3000' }).browserTranscriber).toBe(true)
    expect(readSettings(open).browserTranscriber).toBe(false)
    expect(readSettings({ PUBLIC_URL: 'https://demo.example' }).browserTranscriber).toBe(false)
    expect(readSettings({ ...open, BROWSER_TRANSCRIBER: 'on' }).browserTranscriber).toBe(true)
    expect(readSettings({ BROWSER_TRANSCRIBER: 'off' }).browserTranscriber).toBe(false)
    expect(refusal({ BROWSER_TRANSCRIBER: 'yes' })).toBe('BROWSER_TRANSCRIBER: "yes" is neither on nor off')
  })

  it('hold as many calls as their cores can speak with, or as many as is said', () => {
    expect([1, 2, 16].map(conversationsByCores)).toEqual([25, 50, 100])
    expect(readSettings({}).conversationsMost).toBeGreaterThanOrEqual(12)
    expect(readSettings({ CONVERSATIONS_MOST: '200' }).conversationsMost).toBe(200)
    expect(refusal({ CONVERSATIONS_MOST: '0' })).toContain('CONVERSATIONS_MOST: "0" is not a whole number')
  })

  it('take an address, a key and a name for each engine', () => {
    const given = {
      ...{ MODEL_URL: 'http://localhost:11434/v1', MODEL_NAME: 'llama3.2' },
      ...{
        TRANSCRIBER_URL: 'http://localhost:8000/v1',
        TRANSCRIBER_KEY: 'key-1',
        TRANSCRIBER_NAME: 'whisper-1',
      },
      ...{ VOICE_URL: 'http://localhost:8880/v1/', VOICE_KEY: 'key-2', VOICE_ID: 'af_heart' },
    }
    expect(readSettings(given).engines).toEqual({
      model: { url: 'http://localhost:11434/v1', key: undefined, name: 'llama3.2' },
      transcriber: { url: 'http://localhost:8000/v1', key: 'key-1', name: 'whisper-1' },
      voice: { url: 'http://localhost:8880/v1', key: 'key-2', name: undefined, voice: 'af_heart' },
    })
    expect(refusal({ VOICE_ID: 'nova' })).toMatch(/^VOICE_ID: /)
  })

  it('want PUBLIC_URL and PHONE_KEY where others can reach the server', () => {
    expect(refusal({ HOST: '0.0.0.0' })).toMatch(/^PUBLIC_URL: HOST is 0\.0\.0\.0/)
    expect(refusal({ HOST: '0.0.0.0', PUBLIC_URL: 'https://demo.example' })).toMatch(
      /^PHONE_KEY: HOST is 0\.0\.0\.0/,
    )
    const open = {
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://demo.example/',
      PHONE_KEY: 'a-key-of-sixteen-or-more',
    }
    expect(readSettings(open).publicUrl).toBe('https://demo.example')
  })

  it('open the visitors only when told so, and only the built-in ones', () => {
    expect(readSettings({}).visitorAccess).toBe('slug')
    expect(readSettings({ VISITOR_ACCESS: 'open' }).visitorAccess).toBe('open')
    const hosted = { SUPABASE_URL: 'https://x.supabase.co', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_key' }
    expect(refusal({ ...hosted, VISITOR_ACCESS: 'open' })).toBe(
      'VISITOR_ACCESS: has no effect with SUPABASE_URL, where the policies of that project decide who reads what: change those, and unset this',
    )
    expect(refusal({ ...hosted, VISITOR_ACCESS: 'slug' })).toBe('accepted')
  })

  it('cut a slash only where paths are added behind it', () => {
    const url = 'https://end.example/path/'
    const settings = readSettings({
      SUPABASE_URL: url,
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_key',
      CALL_WEBHOOK_URL: url,
      WEBSITE_URL: url,
      MODEL_URL: url,
    })
    expect([settings.callWebhookUrl, settings.websiteUrl]).toEqual([url, url])
    expect([settings.backend?.url, settings.engines.model?.url]).toEqual([
      'https://end.example/path',
      'https://end.example/path',
    ])
  })

  it.each(['SUPABASE_PUBLISHABLE_KEY', 'PLATFORM_PUBLIC_KEY'])(
    'keep what is secret out of the page: %s, with hosted ends and without',
    (name) => {
      const token = (claims: unknown) =>
        `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.hush`
      const clear = 'and everybody can read a page: give the public key'
      const hosted: Record<string, string> = { SUPABASE_URL: 'https://x.supabase.co' }
      for (const ends of [{}, hosted]) {
        const refused = (key: string) => refusal({ ...ends, [name]: key })
        expect(refused('sb_secret_hush')).toBe(`${name}: the value is a secret key (sb_secret_…), ${clear}`)
        expect(refused(token({ role: 'service_role' }))).toBe(
          `${name}: the value is a secret key (a JWT of the role service_role), ${clear}`,
        )
        expect(refused(token({ token: { tag: 'private' } }))).toBe(
          `${name}: the value is a private key (a JWT of the private scope), ${clear}`,
        )
      }
      expect(readSettings({ [name]: token({ role: 'anon' }) }).keys).toBeDefined()
    },
  )

  it.each([
    ['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_SECRET_KEY'],
    ['PLATFORM_PUBLIC_KEY', 'PLATFORM_PRIVATE_KEY'],
    ['PLATFORM_PUBLIC_KEY', 'PLATFORM_HOOK_SECRET'],
  ])('refuse as %s what is also the %s', (name, secret) => {
    const key = 'hush-hush-hush-hush-hush'
    expect(refusal({ [name]: key, [secret]: key })).toBe(
      `${name}: the value is the same as ${secret}, and everybody can read a page: give the public key`,
    )
  })

  it.each(['SUPABASE_URL', 'CALL_WEBHOOK_URL', 'PLATFORM_URL', 'WEBSITE_URL', 'PRIVACY_URL'])(
    'keep a password out of the page: %s',
    (name) => {
      expect(refusal({ [name]: 'https://me:hush@end.example' })).toBe(
        `${name}: holds a user name or password, which everybody could read: leave them out`,
      )
    },
  )

  it('have a link for privacy only where an address is given', () => {
    expect(readSettings({}).privacyUrl).toBeUndefined()
    expect(readSettings({ PRIVACY_URL: 'https://example.com/privacy' }).privacyUrl).toBe(
      'https://example.com/privacy',
    )
    for (const value of ['example.com', 'javascript:alert(1)', 'ftp://example.com'])
      expect(refusal({ PRIVACY_URL: value })).toBe(
        `PRIVACY_URL: "${value}" is not an http:// or https:// address`,
      )
  })

  it('let an address miss thirty visitors in five minutes, as many as is said, or any number', () => {
    expect(readSettings({}).visitorMissLimit).toEqual({ most: 30, windowMs: 300_000 })
    expect(readSettings({ VISITOR_MISS_LIMIT: '5/1m' }).visitorMissLimit).toEqual({
      most: 5,
      windowMs: 60_000,
    })
    expect(readSettings({ VISITOR_MISS_LIMIT: 'off' }).visitorMissLimit).toBeUndefined()
    expect(refusal({ VISITOR_MISS_LIMIT: '5' })).toMatch(
      /^VISITOR_MISS_LIMIT: "5" is neither off nor a count/,
    )
  })

  it('never print a key that is wrong', () => {
    expect(refusal({ PLATFORM_HOOK_SECRET: 'too-short-a-secret' })).not.toContain('too-short-a-secret')
  })
})
