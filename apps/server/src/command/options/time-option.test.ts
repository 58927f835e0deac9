import { expect, it } from 'vitest'
import { timeOf } from './time-option.js'

const NOW = Date.parse('2026-11-20T12:00:00Z')
it.each([
  ['30s', '2026-11-20T11:59:30.000Z'],
  ['30m', '2026-11-20T11:30:00.000Z'],
  ['24h', '2026-11-19T12:00:00.000Z'],
  ['7d', '2026-11-13T12:00:00.000Z'],
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20 09:30', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T09:30:15+02:00', '2026-11-20T07:30:15.000Z'],
])('reads the time %s', (text, iso) => expect(timeOf(text, '--since', NOW)).toBe(iso))

it.each(['', 'yesterday', '5', '5w', '2026-13-01', '2026-11-20T25:00', '-5m'])(
  'takes %j for no time',
  (text) => expect(() => timeOf(text, '--since', NOW)).toThrow(/^--since is a time like/),
)
