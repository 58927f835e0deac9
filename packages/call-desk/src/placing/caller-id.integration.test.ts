import { afterEach, describe, expect, it } from 'vitest'
import { createCallerIds } from '../records/caller-ids.js'
import { requestCall } from '../testing/desk.js'
import { useOffice } from '../testing/office.js'

const office = useOffice()
afterEach(() =>
  office.db.exec("delete from call_desk.caller_ids; delete from public.visitors where slug like 'caller-%'"),
)

describe('the caller id', () => {
  it("is the visitor's own where there is one, and the desk's again where it is taken away", async () => {
    const callerIds = createCallerIds(office.db)
    await callerIds.assign('acme', 'number-2')
    expect([await callerIds.of('acme'), await callerIds.of('other')]).toEqual(['number-2', null])
    expect(await callerIds.counts()).toEqual(new Map([['number-2', 1]]))
    const desk = await office.startedDesk()
    await requestCall(desk)
    await expect.poll(() => office.platform.dialled.length).toBe(1)
    await callerIds.assign('acme', null)
    await requestCall(desk, '+14155552672')
    await expect.poll(() => office.platform.dialled.length).toBe(2)
    expect(office.platform.dialled.map(({ phoneNumberId }) => phoneNumberId)).toEqual([
      'number-2',
      'number-1',
    ])
  })

  it('is forgotten with its number, and goes with its visitor to another slug and away', async () => {
    const callerIds = createCallerIds(office.db)
    const all = async () =>
      (await office.db.query('select slug, phone_number_id as id from call_desk.caller_ids order by 1')).rows
    await office.db.exec(
      "insert into public.visitors (slug, name) values ('caller-a', 'A'), ('caller-b', 'B')",
    )
    for (const slug of ['caller-a', 'caller-b']) await callerIds.assign(slug, `of-${slug}`)
    await office.db.exec("update public.visitors set slug = 'caller-c' where slug = 'caller-a'")
    expect(await all()).toEqual([
      { slug: 'caller-b', id: 'of-caller-b' },
      { slug: 'caller-c', id: 'of-caller-a' },
    ])
    await office.db.exec("delete from public.visitors where slug = 'caller-c'")
    expect(await all()).toEqual([{ slug: 'caller-b', id: 'of-caller-b' }])
    await callerIds.forget('of-caller-b')
    expect(await all()).toEqual([])
  })
})
