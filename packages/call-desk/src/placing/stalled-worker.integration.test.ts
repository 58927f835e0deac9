import type { Db } from '@heyline/database'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { requestCall, rowOf } from '../testing/desk.js'
import { useOffice } from '../testing/office.js'

const office = useOffice()

describe('a process that stands still between the last look and the dial', () => {
  afterEach(() => vi.restoreAllMocks())

  /** A database after whose last look before the dial one of the clocks has gone on by a minute, once. */
  function stallingDb(clock: Pick<DateConstructor, 'now'> | Performance, meanwhile = async () => {}): Db {
    const real = clock.now.bind(clock)
    let offset = 0
    vi.spyOn(clock, 'now').mockImplementation(() => real() + offset)
    return {
      ...office.db,
      async query(text, ...rest) {
        const result = await office.db.query(text, ...rest)
        if (offset === 0 && text.includes('judged as')) {
          offset = 60_000
          await meanwhile()
        }
        return result
      },
    } as Db
  }

  it.each([
    ['monotonic', performance],
    ['wall', Date],
  ])('sends nothing, and tries again (%s clock)', async (_, clock) => {
    const id = await requestCall(office.desk())
    await office.startedDesk({ db: stallingDb(clock) })
    await office.becomes(id, {
      state: 'dialling',
      sent_at: null,
      last_error: expect.stringMatching(/^stalled/),
    })
    expect(office.platform.dialled).toHaveLength(0)
    await office.db.exec('update call_desk.call_requests set run_at = now()')
    await office.becomes(id, { platform_call_id: 'call-1', attempts: 2 })
    expect(office.platform.dialled).toHaveLength(1)
  })

  it('closes the row that was taken for lost: nothing was sent', async () => {
    const id = await requestCall(office.desk())
    const lost = () =>
      office.db.exec("update call_desk.call_requests set state = 'unknown', unknown_at = now()")
    await office.startedDesk({ db: stallingDb(Date, lost) })
    await office.becomes(id, {
      state: 'failed',
      sent_at: null,
      last_error: expect.stringMatching(/^stalled/),
    })
    expect(office.platform.dialled).toHaveLength(0)
  })

  it('leaves the row that was closed meanwhile', async () => {
    const id = await requestCall(office.desk())
    let closed = false
    const close = async () => {
      await office.db.exec("update call_desk.call_requests set state = 'failed', last_error = 'not_placed'")
      closed = true
    }
    const made = await office.startedDesk({ db: stallingDb(Date, close) })
    await expect.poll(() => closed).toBe(true)
    await made.close()
    expect(await rowOf(office.db, id)).toMatchObject({ state: 'failed', last_error: 'not_placed' })
    expect(office.platform.dialled).toHaveLength(0)
  })
})
