import { RecordsError } from '@heyline/call-desk'
import { DatabaseError } from '@heyline/database'
import { expect, it } from 'vitest'
import { refusalOf } from './refusals.js'

const away = new DatabaseError('No connection', { code: '08006' })

it('says that the database is away, however deep the cause', () => {
  expect(refusalOf(new Error('x', { cause: away }))).toMatchObject({ status: 503, code: 'database_away' })
})

it('says what of an erasing was done, also where the database is away', () => {
  const broken = new RecordsError('hiding_broken_off', 'Erase the number again', { cause: away })
  expect(refusalOf(broken)).toMatchObject({
    status: 503,
    code: 'hiding_broken_off',
    message: 'Erase the number again',
  })
})
