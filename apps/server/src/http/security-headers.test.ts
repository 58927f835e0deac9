import { contentSecurityPolicy } from '@heyline/page/policy'
import { expect, it } from 'vitest'
import { permissionsHeader, policyHeader } from './security-headers.js'

it('adds to the page’s policy that no other site may frame it', () => {
  const sources = { publicUrl: 'https://demo.example' }
  expect(policyHeader(sources)).toBe(`${contentSecurityPolicy(sources)}; frame-ancestors 'none'`)
  expect(policyHeader(sources)).toContain("connect-src 'self' wss://demo.example;")
})

it('lets the page ask for the camera only where the platform may record video', () => {
  const camera = (platform?: string) => /camera=\((.*?)\)/.exec(permissionsHeader(platform))?.[1]
  expect(camera()).toBe('')
  expect(camera('https://demo.example/-/platform')).toBe('')
  expect(camera('https://api.vapi.ai')).toBe('self')
})
