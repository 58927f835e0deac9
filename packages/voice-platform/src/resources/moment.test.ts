import { describe, expect, it } from 'vitest'
import { moment } from './moment.js'

describe('a moment in a request', () => {
  it.each(['2026-11-20T10:00:00Z', '2026-11-20', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'])(
    'is %s',
    (text) => {
      expect(moment.parse(text)).toEqual(new Date(text))
    },
  )

  it.each([
    '',
    'yesterday',
    '0000-01-01',
    '0000-12-31T23:59:59Z',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    `2026-11-20${' '.repeat(31)}`,
  ])('is not %j', (text) => {
    expect(moment.safeParse(text).error?.issues.map(({ code }) => code)).toHaveLength(1)
  })
})
