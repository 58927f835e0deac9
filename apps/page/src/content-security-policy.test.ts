import { describe, expect, it } from 'vitest'
import { contentSecurityPolicy } from './content-security-policy.js'

const directive = (policy: string, name: string) =>
  policy
    .split('; ')
    .find((text) => text.startsWith(`${name} `))
    ?.split(' ')
    .slice(1)

describe('the content security policy', () => {
  it('allows our own origin, and its rooms by name', () => {
    const policy = contentSecurityPolicy({ publicUrl: 'https://demo.example' })
    expect(directive(policy, 'default-src')).toEqual(["'none'"])
    expect(directive(policy, 'script-src')).toEqual(["'self'"])
    expect(directive(policy, 'connect-src')).toEqual(["'self'", 'wss://demo.example'])
    expect(policy).not.toContain('unsafe')
  })

  it('allows a manifest of our own, only where the page has one', () => {
    expect(directive(contentSecurityPolicy({ manifest: true }), 'manifest-src')).toEqual(["'self'"])
    expect(contentSecurityPolicy({})).not.toContain('manifest-src')
  })

  it('allows hosted ends by origin, only where they are configured', () => {
    const policy = contentSecurityPolicy({
      publicUrl: 'http://localhost:3000',
      hosted: ['https://project.supabase.co/', 'https://hooks.example/call?x=1'],
    })
    expect(directive(policy, 'connect-src')).toEqual([
      "'self'",
      'ws://localhost:3000',
      'https://project.supabase.co',
      'https://hooks.example',
    ])
    expect(policy).not.toContain('daily')
  })

  it('allows a hosted platform, its socket rooms, and Daily', () => {
    const policy = contentSecurityPolicy({
      publicUrl: 'https://demo.example',
      platform: 'https://api.vapi.ai',
    })
    expect(directive(policy, 'script-src')).toEqual([
      "'self'",
      'https://c.daily.co',
      'blob:',
      "'wasm-unsafe-eval'",
    ])
    expect(directive(policy, 'connect-src')).toEqual([
      "'self'",
      'wss://demo.example',
      'https://api.vapi.ai',
      'wss://api.vapi.ai',
      'https://*.daily.co',
      'wss://*.daily.co',
      'https://*.pluot.blue',
      'wss://*.pluot.blue',
    ])
    expect(directive(policy, 'worker-src')).toEqual(["'self'", 'blob:'])
    expect(directive(policy, 'media-src')).toEqual(["'self'", 'blob:'])
    expect(policy).not.toMatch(/'unsafe-/)
  })

  it.each(['https://demo.example/-/platform', 'https://demo.example/-/platform/'])(
    'allows another Heyline’s platform and sockets, and nothing for Daily: %s',
    (platform) => {
      const policy = contentSecurityPolicy({ platform })
      expect(directive(policy, 'connect-src')).toEqual([
        "'self'",
        'https://demo.example',
        'wss://demo.example',
      ])
      expect(directive(policy, 'script-src')).toEqual(["'self'"])
      expect(directive(policy, 'worker-src')).toEqual(["'self'"])
    },
  )

  it('allows Turnstile’s script, frame and requests, only where it is the human check', () => {
    const cloudflare = 'https://challenges.cloudflare.com'
    const policy = contentSecurityPolicy({ turnstile: true })
    expect(directive(policy, 'script-src')).toEqual(["'self'", cloudflare])
    expect(directive(policy, 'frame-src')).toEqual([cloudflare])
    expect(directive(policy, 'connect-src')).toEqual(["'self'", cloudflare])
    for (const without of [contentSecurityPolicy({}), contentSecurityPolicy({ turnstile: false })]) {
      expect(without).not.toContain(cloudflare)
      expect(directive(without, 'frame-src')).toBeUndefined()
    }
  })

  it('lets the human check work in workers of our own', () => {
    expect(directive(contentSecurityPolicy({}), 'worker-src')).toEqual(["'self'"])
  })

  it('allows inline styles by their hash only', () => {
    expect(directive(contentSecurityPolicy({ styleHashes: ["'sha256-abc='"] }), 'style-src')).toEqual([
      "'self'",
      "'sha256-abc='",
    ])
  })

  it('holds only what counts in a meta element too', () => {
    expect(contentSecurityPolicy({})).not.toMatch(/frame-ancestors|report-uri|sandbox/)
  })
})
