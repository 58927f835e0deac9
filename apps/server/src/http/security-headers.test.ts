import { contentSecurityPolicy } from '@heyline/page/policy'
import { expect, it } from 'vitest'
import { policyHeader } from './security-headers.js'

it('adds to the page’s policy that no other site may frame it', () => {
  const sources = { publicUrl: 'https://demo.example' }
  expect(policyHeader(sources)).toBe(`${contentSecurityPolicy(sources)}; frame-ancestors 'none'`)
  expect(policyHeader(sources)).toContain("connect-src 'self' wss://demo.example;")
})
