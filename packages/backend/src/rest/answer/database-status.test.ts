import { DatabaseError } from '@heyline/database'
import { expect, it } from 'vitest'
import { databaseStatus } from './database-status.js'

it.each([
  ['23505', 'duplicate key', 409],
  ['23503', 'no such row', 409],
  ['42501', 'permission denied', 401],
  ['42P01', 'relation does not exist', 404],
  ['42703', 'column does not exist', 400],
  ['42883', 'operator does not exist', 404],
  ['22P02', 'invalid input', 400],
  ['21000', 'row a second time', 400],
  ['22023', 'role "x" does not exist', 401],
  ['22023', 'bad parameter', 400],
  ['25006', 'read-only', 405],
  ['54001', 'stack depth limit exceeded', 400],
  ['57014', 'canceling statement', 500],
  ['57P01', 'terminating connection', 503],
  ['08006', 'connection failure', 503],
  ['53300', 'too many connections', 503],
  ['P0001', 'raised', 400],
  ['PT429', 'slow down', 429],
  ['PT999', 'no status', 400],
  ['XX000', 'internal', 500],
])('%s (%s) is %i for a caller without a role of its own', (code, message, status) => {
  expect(databaseStatus(new DatabaseError(message, { code }), 'anon')).toBe(status)
})

it('says 403 where another key would not help', () => {
  expect(databaseStatus(new DatabaseError('permission denied', { code: '42501' }), 'authenticated')).toBe(403)
})
