import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { addNumbers } from '../gate/do-not-call.js'
import { openDeskDb } from '../testing/desk-db.js'
import { createDoNotCall, type DoNotCall } from './do-not-call-office.js'

let db: Db
let list: DoNotCall
beforeAll(async () => {
  db = await openDeskDb()
  list = createDoNotCall(db)
})
afterAll(() => db.close())
beforeEach(() => db.exec('delete from call_desk.do_not_call; delete from call_desk.audit'))

const stored = async () =>
  (await list.list({ limit: 1000 })).numbers.map(({ phone, source }) => [phone, source])
const audit = async () => (await db.query('select action, detail from call_desk.audit order by id')).rows

it.each(['+14155552671', '+1 415 555 2671', '+1 (415) 555-2671', ' +1.415.555.2671 '])(
  'takes %j for the same number as the gate does',
  async (text) => {
    expect(await list.add([text])).toEqual({ numbers: ['+14155552671'], added: 1 })
    expect(await list.add(['+14155552671'])).toMatchObject({ added: 0 })
    expect(await stored()).toEqual([['+14155552671', 'command']])
  },
)

it('takes all of several numbers, or none, and names the bad one by its place alone', async () => {
  const refused = list.add(['+14155552671', '+1415555'])
  await expect(refused).rejects.toMatchObject({
    code: 'invalid_phone',
    message: expect.stringMatching(/^Number 2 of 2 is no valid/),
  })
  await expect(refused).rejects.not.toThrow(/415/)
  expect(await stored()).toEqual([])
  expect(await list.add(['+14155552671', '+44 20 7946 0018', '+1 415 555 2671'])).toMatchObject({ added: 2 })
})

it('removes a number, and says where it was not listed', async () => {
  await list.add(['+14155552671'])
  expect(await list.remove('+1 415-555-2671')).toEqual({ number: '+14155552671' })
  await expect(list.remove('+14155552671')).rejects.toMatchObject({ code: 'not_listed' })
  expect(await stored()).toEqual([])
})

it('keeps who put a number there first', async () => {
  expect(await addNumbers(db, ['+14155552671'], 'caller', '00000000-0000-4000-8000-000000000001')).toBe(1)
  expect(await list.import(['+14155552671', '+14155552672'])).toEqual({ added: 1 })
  expect(await stored()).toEqual([
    ['+14155552671', 'caller'],
    ['+14155552672', 'import'],
  ])
})

it('imports all numbers or none', async () => {
  await expect(list.import(['+14155552671', '4155552672'])).rejects.toMatchObject({ code: 'invalid_phone' })
  expect(await stored()).toEqual([])
  const many = Array.from({ length: 25_000 }, (_, index) => `+1415${5_000_000 + index}`)
  expect(await list.import(many)).toEqual({ added: 25_000 })
  expect(await list.import(many)).toEqual({ added: 0 })
})

it('lists page by page, by number', async () => {
  const numbers = ['+14155552671', '+442079460018', '+14155552672']
  await list.add(numbers)
  const first = await list.list({ limit: 2 })
  expect(first.numbers.map(({ phone }) => phone)).toEqual(['+14155552671', '+14155552672'])
  expect(first.next).toBe('+14155552672')
  expect(await list.list({ limit: 2, after: '+1 415 555 2672' })).toMatchObject({
    numbers: [{ phone: '+442079460018', source: 'command', addedAt: expect.stringMatching(/^2\d{3}-/) }],
    next: null,
  })
})

it('writes every change to the audit, without the numbers', async () => {
  await list.add(['+14155552671', '+14155552672'])
  await list.add(['+14155552671'])
  await list.remove('+14155552671')
  await list.import(['+14155552673'])
  expect(await audit()).toEqual([
    { action: 'do_not_call_added', detail: { numbers: 2 } },
    { action: 'do_not_call_removed', detail: { numbers: 1 } },
    { action: 'do_not_call_imported', detail: { numbers: 1 } },
  ])
})
