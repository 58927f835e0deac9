import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { ManualClock } from '@heyline/kit/manual-clock'
import { UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewSession } from '../auth-wire/auth-account.js'
import { builtInEnd, clientOf, confirmByApp } from '../testing/auth-end.js'
import { ConsoleBrowser, sessionsOf } from '../testing/console-browser.js'
import { SessionStore } from './session-store.js'

const PASSWORD = 'correct horse battery staple'
const tokens = (aal: 'aal1' | 'aal2') => ({ access: new UnsecuredJWT({ aal }).encode(), refresh: 'r' })

describe.each(DATABASES)('sessions of the console that wait for the second factor, on $name', ({ open }) => {
  const clock = new ManualClock(Date.now())
  let db: Db
  let store: SessionStore
  beforeAll(async () => {
    db = await open()
    store = new SessionStore({ db, key: new Uint8Array(32).fill(9), clock })
  })
  afterAll(() => db.close())

  const somebody = () => {
    const userId = randomUUID()
    const begin = (rest: Partial<NewSession> = {}) => {
      clock.advance(1)
      return store.begin({ userId, tokens: tokens('aal1'), isPending: true, ...rest })
    }
    /** So many that wait, at places that the account doesn't know. */
    const flood = async (many: number) => {
      for (let n = 0; n < many; n += 1) await begin()
    }
    /** Takes the session of a cookie to aal2. */
    const confirm = async (secret: string) => {
      const session = await store.find(secret)
      if (!session) throw new Error('The session has ended')
      return (await store.change(session, { tokens: tokens('aal2') })) ?? ''
    }
    const count = async () =>
      (await db.query('select from back_office.console_sessions where user_id = $1', [userId])).rows.length
    return { begin, flood, confirm, count }
  }

  it('end none that gave it, nor one at a known place', async () => {
    const { begin, flood, confirm, count } = somebody()
    const owner = await confirm(await begin({ known: 'address' }))
    const again = await begin({ known: 'address' })
    const near = await begin({ known: 'network' })
    await flood(55)
    for (const secret of [owner, again, near]) expect(await store.find(secret)).toBeDefined()
    expect(await count()).toBe(53)
    expect(await store.find(await confirm(again))).toBeDefined()
  })

  it('leave room for fifty that gave it', async () => {
    const { begin, confirm, count } = somebody()
    const first = await confirm(await begin())
    for (let n = 0; n < 50; n += 1) {
      clock.advance(1)
      await confirm(await begin())
    }
    expect(await count()).toBe(50)
    expect(await store.find(first)).toBeUndefined()
  })
})

it.each(DATABASES)('whoever has the password alone ends no other session, on $name', async ({ open }) => {
  const clock = new ManualClock(Date.now())
  const end = await builtInEnd(await open(), clock)
  try {
    const email = 'ada@example.com'
    await end.auth.createAccount(email, PASSWORD)
    const wire = clientOf(end)
    const owner = await confirmByApp(end, (await wire.signIn(email, PASSWORD)) ?? '')
    const { signingIn, account } = sessionsOf(end, { clock })
    const [thief, other] = [new ConsoleBrowser(), new ConsoleBrowser()]
    for (const { visit } of [thief, other]) await signingIn.signIn(visit, { email, password: PASSWORD })
    await expect(account.endOthers(thief.visit)).rejects.toMatchObject({ code: 'second_factor_needed' })
    expect((await account.list(thief.visit)).sessions).toMatchObject([{ current: true, aal: 'aal1' }])
    expect((await account.list(other.visit)).sessions).toHaveLength(1)
    expect((await wire.ask('GET', '/user', undefined, owner)).status).toBe(200)
    const { rows } = await end.db.query('select is_pending, known from back_office.console_sessions')
    expect(rows).toEqual(Array(2).fill({ is_pending: true, known: 'address' }))
  } finally {
    await end.close()
  }
})
