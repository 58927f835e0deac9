import type { Db } from '@heyline/database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OrgPeople } from '../orgs/org-people.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

const TICKET = { category: 'others', subject: 'Bread', message: 'There is no bread left.' }
const notAsked = (): never => {
  throw new TypeError('not asked')
}
/** Whoever sends `member` is Ada. */
const people: OrgPeople = {
  ...{ list: notAsked, invite: notAsked, setRole: notAsked, remove: notAsked },
  mayBeMember: (bearer) => bearer === 'member',
  enter: async () => ({ name: 'ada@example.com', userId: 'ada', role: 'editor' }),
}

let db: Db
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db, { people })
})
afterAll(async () => {
  await bench.close()
  await db.close()
})

it('a support ticket is kept, and answered with its id alone', async () => {
  const answer = await bench.request('POST', '/support/ticket', TICKET)
  const body = await answer.json()
  expect([answer.status, Object.keys(body)]).toEqual([201, ['id']])
  const { rows } = await db.query('select settings from voice_platform.resources where id = $1', [body.id])
  expect(rows).toEqual([{ settings: TICKET }])
  expect(await bench.platform.tickets.get(body.id)).toMatchObject({ ...TICKET, writtenBy: null })
})

it("a member's ticket names who wrote it, which nobody can say for another", async () => {
  const send = (body: object) =>
    bench.platform.fetch(
      new Request('http://platform/support/ticket', {
        method: 'POST',
        headers: { authorization: 'Bearer member', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  const { id } = await (await send(TICKET)).json()
  expect(await bench.platform.tickets.get(id)).toMatchObject({ ...TICKET, writtenBy: 'ada@example.com' })
  expect((await send({ ...TICKET, writtenBy: 'bob@example.com' })).status).toBe(400)
})

it.each([
  ['category', { category: 'weather' }],
  ['subject', { subject: 'x'.repeat(201) }],
  ['message', { message: 'Short' }],
  ['message', { message: 'x'.repeat(5001) }],
  ['callDetails', { callDetails: 'x'.repeat(1001) }],
])('a ticket with a %s that is not good is refused by that name', async (field, change) => {
  const answer = await bench.request('POST', '/support/ticket', { ...TICKET, ...change })
  const { message } = await answer.json()
  expect([answer.status, [message].flat().join()]).toEqual([400, expect.stringContaining(field)])
})
