import { PGlite } from '@electric-sql/pglite'
import { expect, it } from 'vitest'
import { assertDurable } from './cluster.js'

it('refuses a PGlite whose commits are not synced', async () => {
  const inMemory = await PGlite.create()
  await expect(assertDurable(inMemory, { syncs: 3 })).rejects.toMatchObject({
    code: 'not_durable',
    message: expect.stringContaining('without fsync'),
  })
  expect(inMemory.closed).toBe(true)
})
