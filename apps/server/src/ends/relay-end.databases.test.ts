import { DATABASES } from '@heyline/database/testing'
import { expect, it } from 'vitest'
import { addressSeenBy } from './relay-end.js'

it.each(DATABASES)(
  '$name says where it is asked from, or that this is no network',
  async ({ kind, open }) => {
    const db = await open()
    try {
      // PGlite tells an address of its own. Postgres is asked over a socket of this machine here.
      expect(await addressSeenBy(db)).toBe(kind === 'pglite' ? '127.0.0.1' : null)
    } finally {
      await db.close()
    }
  },
)
