import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { OrgTokens } from './org-token.js'

const ORG = '00000000-0000-4000-8000-000000000001'

it('is good for ten minutes, at the installation that made it', () => {
  const clock = new ManualClock(1_000_000)
  const tokens = new OrgTokens('private-key', clock)
  const { accessToken, aud } = tokens.make(ORG)
  expect(aud).toEqual({ orgId: ORG, token: { tag: 'public' } })
  expect(tokens.isGood(accessToken)).toBe(true)
  expect(new OrgTokens('another-key', clock).isGood(accessToken)).toBe(false)
  clock.advance(599_000)
  expect(tokens.isGood(accessToken)).toBe(true)
  clock.advance(1_000)
  expect(tokens.isGood(accessToken)).toBe(false)
})

it.each([
  ['an unsigned one', (token: string) => token.slice(0, token.lastIndexOf('.') + 1)],
  ['one with other claims', (token: string) => token.replace(/\..*\./, '.eyJleHAiOjk5OTk5OTk5OTl9.')],
  ['an endless one', (token: string) => `${'x'.repeat(1_000)}.${token}`],
  ['a word', () => 'token'],
  ['nothing', () => ''],
])('refuses %s', (_, changed) => {
  const tokens = new OrgTokens('private-key', new ManualClock(0))
  expect(tokens.isGood(changed(tokens.make(ORG).accessToken))).toBe(false)
})
