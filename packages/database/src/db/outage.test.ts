import { expect, it } from 'vitest'
import { DatabaseError } from './database-error.js'
import { isOutage } from './outage.js'

it.each(['08006', '53300', '53100', '57P01', '57P03', '58030', '25006'])('%s is an outage', (code) => {
  const error = new DatabaseError('away', { code })
  expect(isOutage(error)).toBe(true)
  expect(isOutage(new Error('a visitor lookup failed', { cause: error }))).toBe(true)
})

it.each(['57014', '23505', '25P02', '53400', '42P01', '40001'])('%s is none', (code) => {
  expect(isOutage(new DatabaseError('refused', { code }))).toBe(false)
})

it('is none that no database is at fault for', () => {
  const loop: Error = new Error('loop')
  loop.cause = loop
  for (const error of [undefined, 'away', new Error('08006'), loop]) expect(isOutage(error)).toBe(false)
})
