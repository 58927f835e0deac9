import { createVisitors } from '@heyline/backend'
import type { Db } from '@heyline/database'
import { expect, it } from 'vitest'
import { admin } from './admin.js'
import { ADMIN_ROUTES } from './admin-routes.js'

/** What no operator may do, an owner included. */
const SECRET_KEY_ONLY = ['GET /backup', 'POST /keys/rotate', 'POST /operators/setup']

const never = () => {
  throw new Error('no database is asked')
}
const db: Db = {
  kind: 'pglite',
  query: never,
  exec: never,
  transaction: never,
  listen: never,
  close: async () => {},
}

it('names the role of every path that is served, or leaves it to the secret key', () => {
  const app = admin({
    db,
    visitors: createVisitors(db),
    secret: 'sb_secret_of_the_test',
    addressOf: () => undefined,
    operators: undefined,
    rotateKeys: never,
  })
  const served = app.routes.flatMap(({ method, path }) => (method === 'ALL' ? [] : [`${method} ${path}`]))
  expect([...new Set(served)].toSorted()).toEqual(
    [...Object.keys(ADMIN_ROUTES), ...SECRET_KEY_ONLY].toSorted(),
  )
})
