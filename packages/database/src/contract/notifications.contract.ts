import { describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'

/** Who hears a NOTIFY. The table `note` is empty before each test. */
export function describeNotifications(db: () => Db): void {
  describe('notifications', () => {
    /** Collects what is heard and resolves when there are so many. */
    const ear = (): { heard: (payload: string) => void; until(count: number): Promise<string[]> } => {
      const payloads: string[] = []
      let wake = (): void => {}
      return {
        heard: (payload) => {
          payloads.push(payload)
          wake()
        },
        until: async (count) => {
          while (payloads.length < count) {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
          return payloads
        },
      }
    }

    it('are heard after the commit, by the exact name of the channel', async () => {
      const [quiet, loud] = [ear(), ear()]
      const off = await db().listen('calls', quiet.heard)
      const offLoud = await db().listen('Calls; --"', loud.heard)
      await db().transaction(async (tx) => {
        await tx.query("select pg_notify('Calls; --\"', $1)", ['one'])
        await tx.query('notify calls')
      })
      expect(await loud.until(1)).toEqual(['one'])
      expect(await quiet.until(1)).toEqual([''])
      await off()
      await offLoud()
    })

    it('are not sent by what is rolled back', async () => {
      const { heard, until } = ear()
      const off = await db().listen('calls', heard)
      const rolledBack = db().transaction(async (tx) => {
        await tx.query("select pg_notify('calls', 'never')")
        throw new Error('no')
      })
      await expect(rolledBack).rejects.toThrow('no')
      await db().query("select pg_notify('calls', 'real')")
      expect(await until(1)).toEqual(['real'])
      await off()
    })

    it('reach every listener until each says it is enough', async () => {
      const [first, second] = [ear(), ear()]
      const offFirst = await db().listen('calls', first.heard)
      const offSecond = await db().listen('calls', second.heard)
      await db().query("select pg_notify('calls', 'both')")
      await first.until(1)
      await second.until(1)
      await offFirst()
      await db().query("select pg_notify('calls', 'second')")
      expect(await second.until(2)).toEqual(['both', 'second'])
      expect(await first.until(1)).toEqual(['both'])
      await offSecond()
    })

    it('go on when a listener fails', async () => {
      const { heard, until } = ear()
      const offFailing = await db().listen('calls', () => {
        throw new Error('a bug of the listener')
      })
      const off = await db().listen('calls', heard)
      await db().query("select pg_notify('calls', 'on')")
      expect(await until(1)).toEqual(['on'])
      await offFailing()
      await off()
    })
  })
}
