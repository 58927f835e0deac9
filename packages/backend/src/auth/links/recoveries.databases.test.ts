import type { Db, Queryable } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LinkMail, MailNotTaken } from '../../index.js'
import { type RunningAuth, runAuth } from '../../testing/running-auth.js'

/** The statements of one transaction that was written down, or one outside of any. */
type Work = string[]

/** A `Db` that tells what it has written down. */
function recorded(db: Db, written: (work: Work) => void): Db {
  return {
    ...bound(db),
    async query(sql, parameters, options) {
      const result = await db.query<never>(sql, parameters, options)
      // What is old is deleted now and then, whoever asks.
      if (/^(insert|update)/.test(sql)) written([sql])
      return result
    },
    async transaction(run, options) {
      const work: Work = []
      const [result, isWritten] = await db.transaction(async (tx) => {
        const ran = await run(recordedIn(tx, work))
        const { rows } = await tx.query<{ is: boolean }>(
          'select pg_current_xact_id_if_assigned() is not null as is',
        )
        return [ran, rows[0]?.is] as const
      }, options)
      if (isWritten) written(work)
      return result
    },
  }
}

/** For a machine that is busy with others. */
const SOON = { timeout: 10_000 }

const bound = (db: Db): Db => ({
  kind: db.kind,
  query: db.query.bind(db),
  exec: db.exec.bind(db),
  transaction: db.transaction.bind(db),
  listen: db.listen.bind(db),
  close: db.close.bind(db),
})

const recordedIn = (tx: Queryable, work: Work): Queryable => ({
  query(sql, parameters, options) {
    work.push(sql)
    return tx.query(sql, parameters, options)
  },
  exec: (sql) => tx.exec(sql),
})

describe.each(DATABASES)('recoveries, on $name', ({ open }) => {
  let auth: RunningAuth
  const works: Work[] = []
  const mails: LinkMail[] = []
  /** What the mail server does with each. */
  let take: () => Promise<void> = async () => {}
  beforeEach(async () => {
    mails.length = 0
    take = async () => {}
    const sendMail = async (mail: LinkMail) => {
      mails.push(mail)
      await take()
    }
    const openRecorded = async () => recorded(await open(), (work) => works.push(work))
    auth = await runAuth({ open: openRecorded, auth: { sendMail } })
  })
  afterEach(() => auth.close())

  const ask = async (email: string, address = '192.0.2.1') =>
    (await auth.ask('POST', '/recover', { body: { email }, address })).status

  it('push nobody out of the line of mails who ask for nobody', async () => {
    let open: () => void = () => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    take = () => opened
    const [first, second] = [await auth.newUser(), await auth.newUser()]
    expect(await ask(first.email)).toBe(200)
    await expect.poll(() => mails.length, SOON).toBe(1)
    for (let network = 0; network < 12; network += 1) {
      const strangers = Array.from({ length: 10 }, (_, place) =>
        ask(`nobody-${network}-${place}@example.com`, `198.51.${network}.${place}`),
      )
      expect(new Set(await Promise.all(strangers))).toEqual(new Set([200]))
    }
    expect(await ask(second.email)).toBe(200)
    open()
    await expect.poll(() => mails.map(({ to }) => to), SOON).toEqual([first.email, second.email])
    expect(auth.log).toEqual([])
  })

  it('are the same work for an account as for nobody, so that no time tells which there are', async () => {
    const workOf = async (email: string) => {
      works.length = 0
      expect(await ask(email)).toBe(200)
      // That it was asked for is counted, and written down.
      await expect.poll(() => works.length, SOON).toBe(2)
      auth.clock.advance(45_000)
      await expect.poll(() => works.length, SOON).toBe(3)
      return [...works]
    }
    const { email } = await auth.newUser()
    const ofNobody = await workOf('nobody@example.com')
    expect(await workOf('nobody@example.com')).toEqual(ofNobody)

    expect(await workOf(email), 'a mail is sent').toEqual(ofNobody)
    expect(await workOf(email), 'one was sent just now').toEqual(ofNobody)
    expect(mails).toMatchObject([{ to: email }])

    const { email: banned, id } = await auth.newUser()
    await auth.admin.auth.admin.updateUserById(id, { ban_duration: '1h' })
    expect(await workOf(banned), 'a banned account').toEqual(ofNobody)
    expect(mails).toHaveLength(1)

    take = () => Promise.reject(new MailNotTaken('no post today'))
    const { email: unlucky } = await auth.newUser()
    expect(await workOf(unlucky), 'the mail server takes none').toEqual(ofNobody)
    expect(mails).toHaveLength(2)
  })
  it('are written down before the server stops', async () => {
    const { email } = await auth.newUser()
    expect(await ask('nobody@example.com')).toBe(200)
    expect(await ask(email)).toBe(200)
    await expect.poll(() => mails.length, SOON).toBe(1)
    await auth.backend.close()
    const { rows } = await auth.db.query(
      `select payload ->> 'actor_username' as of from auth.audit_log_entries
       where payload ->> 'action' = 'user_recovery_requested'`,
    )
    expect(rows).toEqual([{ of: email }])
    expect(auth.clock.pending).toBe(0)
  })
})
