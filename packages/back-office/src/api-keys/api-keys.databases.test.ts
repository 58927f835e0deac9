import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { ManualClock } from '@heyline/kit/manual-clock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changingOperators, deleteRow, endApiKeys, putRow, setRole } from '../operators/operator-rows.js'
import type { Role } from '../operators/role.js'
import { ApiKeys } from './api-keys.js'

const DAY_MS = 86_400_000
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => 'taken',
    (error) => Object(error).code,
  )

describe.each(DATABASES)('API keys, $name', ({ open }) => {
  const clock = new ManualClock(Date.now())
  let db: Db
  let keys: ApiKeys
  let number = 0
  beforeAll(async () => {
    db = await open()
    keys = new ApiKeys({ db, clock })
  })
  afterAll(() => db.close())

  async function operator(role: Role) {
    const owner = { userId: randomUUID(), email: `op${++number}@example.com`, role }
    await changingOperators(db, (tx) => putRow(tx, { ...owner, invitedBy: 'the test', joined: true }))
    return owner
  }
  const asked = { name: 'ci', role: 'editor', days: 30 } as const

  it('open what their role opens, and say whose they are', async () => {
    const owner = await operator('owner')
    const { key, ...line } = await keys.add(owner, asked)
    expect(key).toMatch(/^hlk_[\w-]{43}$/)
    expect(await keys.enter(key)).toEqual({
      userId: owner.userId,
      email: owner.email,
      role: 'editor',
      keyId: line.id,
      keyName: 'ci',
    })
    expect(await keys.list(owner.userId)).toEqual([{ ...line, lastUsedAt: expect.any(String) }])
    const { rows } = await db.query('select * from back_office.api_keys')
    expect(JSON.stringify(rows)).not.toContain(key.slice(4))
  })

  it('never exceed their operator', async () => {
    const editor = await operator('editor')
    expect(await refusal(keys.add(editor, { ...asked, role: 'owner' }))).toBe('invalid_role')
    const { key } = await keys.add(editor, asked)
    await setRole(db, editor.userId, 'viewer')
    expect(await keys.enter(key)).toMatchObject({ role: 'viewer' })
    await setRole(db, editor.userId, 'owner')
    expect(await keys.enter(key)).toMatchObject({ role: 'editor' })
  })

  it('end by their time, when they are revoked, and with their operator', async () => {
    const owner = await operator('owner')
    const first = await keys.add(owner, asked)
    clock.advance(30 * DAY_MS - 1)
    expect(await refusal(keys.enter(first.key))).toBe('taken')
    clock.advance(1)
    expect(await refusal(keys.enter(first.key))).toBe('unauthorized')
    const second = await keys.add(owner, asked)
    expect(await keys.list(owner.userId)).toHaveLength(1)
    const other = await operator('owner')
    expect(await refusal(keys.revoke(other.userId, second.id))).toBe('key_not_found')
    await keys.revoke(owner.userId, second.id)
    expect(await refusal(keys.enter(second.key))).toBe('unauthorized')
    const reset = await keys.add(owner, asked)
    await endApiKeys(db, owner.userId)
    expect(await refusal(keys.enter(reset.key))).toBe('unauthorized')
    const third = await keys.add(owner, asked)
    await deleteRow(db, owner.userId)
    expect(await refusal(keys.enter(third.key))).toBe('unauthorized')
    expect(await keys.list(owner.userId)).toEqual([])
    // They were let in before, and removed while the request came.
    expect(await refusal(keys.add(owner, asked))).toBe('not_an_operator')
  })

  it('are twenty at most, however many are made at once', async () => {
    const owner = await operator('owner')
    const made = await Promise.all(Array.from({ length: 22 }, () => refusal(keys.add(owner, asked))))
    expect(made.filter((outcome) => outcome === 'taken')).toHaveLength(20)
    expect(made).toContain('too_many_keys')
  })

  it.each(['', 'hlk_', `hlk_${'x'.repeat(43)}`, `hlk_${'x'.repeat(10_000)}`, 'x'.repeat(47)])(
    'are not made up: %.20s',
    async (key) => expect(await refusal(keys.enter(key))).toBe('unauthorized'),
  )
})
