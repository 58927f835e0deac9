import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SQL_FOLDER } from '../database/open-db.js'
import { Readiness } from '../drain/readiness.js'
import { Ready } from './ready.js'

describe.each(DATABASES)('a server on $name', ({ open }) => {
  let db: Db
  let ready: Ready
  beforeAll(async () => {
    db = await open()
    ready = new Ready({ db, folder: SQL_FOLDER, readiness: new Readiness() })
  })
  afterAll(async () => {
    await ready.close()
    await db.close()
  })

  it('is ready: it reads, may write, hears itself and has its schema', async () => {
    const response = await ready.ready()
    expect(await response.json()).toEqual({
      ready: true,
      checks: ['database', 'writable', 'notifications', 'migrations', 'draining'].map((check) => ({
        check,
        ok: true,
      })),
    })
    expect(response.status).toBe(200)
  })
})
