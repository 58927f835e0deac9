import { expect, it } from 'vitest'
import { fateOf } from './refresh-fate.js'

const NOW = 1_800_000_000_000
const session = (usedAt: number) => ({
  ...{ user_id: 'ada', email: null, banned_until: null, refresh_counter: 3, refresh_floor: 0 },
  ...{ refresh_uses: { 2: usedAt }, refreshed_at: new Date(NOW), updated_at: new Date(NOW - 3_600_000) },
})

it.each([
  ['a moment ago is used again', NOW - 10_000, 'again'],
  ['before that is stolen', NOW - 10_001, 'theft'],
  ['by a clock that was a day ahead is stolen', NOW + 86_400_000, 'theft'],
])('a refresh token that was used %s', (_, usedAt, fate) => {
  expect(fateOf(2, session(usedAt), NOW)).toBe(fate)
})
