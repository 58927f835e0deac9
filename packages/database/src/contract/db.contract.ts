import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { describeErrors } from './errors.contract.js'
import { code } from './failure.contract.js'
import { describeNotifications } from './notifications.contract.js'
import { describePatience } from './patience.contract.js'
import { describePrepared } from './prepared.contract.js'
import { describeTransactions } from './transactions.contract.js'
import { describeValues } from './values.contract.js'

/** What every `Db` does. `open` gives a new one on an empty database; `close` also frees what was made for it. */
export function describeDb(name: string, open: (options?: { patienceMs: number }) => Promise<Db>): void {
  describe(name, () => {
    let db: Db
    beforeAll(async () => {
      db = await open()
    })
    afterAll(async () => {
      await db.close()
    })
    beforeEach(async () => {
      await db.exec(
        'drop table if exists note; create table note (id int primary key, text text, at timestamptz)',
      )
    })

    describeValues(() => db)
    describeErrors(() => db)
    describeTransactions(() => db)
    describeNotifications(() => db)
    describePatience(open)
    describePrepared(() => db)

    describe('close', () => {
      it('settles a transaction that would not end, and refuses what comes after', async () => {
        const other = await open()
        let opened = (): void => {}
        const isOpen = new Promise<void>((resolve) => {
          opened = resolve
        })
        const stuck = other.transaction(async (tx) => {
          await tx.exec('create table unfinished ()')
          opened()
          await new Promise(() => {})
        })
        const settled = code(stuck)
        await isOpen
        const waiting = other.transaction(async () => 'done').catch((error: unknown) => error)
        await other.close()
        expect(await settled).toBe('57P01')
        // On PGlite it stood behind the stuck one; Postgres had a connection for it.
        expect(await waiting).toEqual(
          db.kind === 'pglite' ? expect.objectContaining({ code: '08003' }) : 'done',
        )
        await other.close()
        expect(await code(other.query('select 1'))).toBe('08003')
        expect(await code(other.exec('select 1'))).toBe('08003')
        expect(await code(other.transaction(async () => {}))).toBe('08003')
        expect(await code(other.listen('calls', () => {}))).toBe('08003')
      })
    })
  })
}
