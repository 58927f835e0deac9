import { type OperatorLine, OperatorsError, openConsoleDoors, type Role } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { systemClock } from '@heyline/kit/clock'
import type { OrgNeed } from '@heyline/voice-platform'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { OperatorsEnd } from './operators-end.js'
import { orgPeople } from './org-people.js'

const ADA = 'abcdef01-0000-4000-8000-000000000000'
const SECRET = 'sb_secret_of_the_test'
const publicUrl = 'http://localhost:3000'
const ada: OperatorLine = {
  ...{ userId: ADA, email: 'ada@example.com', role: 'owner', invitedBy: 'setup link' },
  ...{ invitedAt: '2026-01-01T00:00:00.000Z', joinedAt: '2026-01-02T00:00:00.000Z', lastSeenAt: null },
}

let db: Db
let done: unknown[]
let end: OperatorsEnd
beforeAll(async () => {
  db = await openTestDb()
  await db.query(
    `insert into back_office.operators (user_id, email, role, invited_by) values ($1, 'ada@example.com', 'owner', 'test')`,
    [ADA],
  )
  /** Whoever sends `ROLE.old.x` confirmed it long ago, and `ROLE.new.x` just now. */
  const enter = async (token: string) => {
    const [role, when] = token.split('.')
    if (role !== 'owner' && role !== 'editor') throw new OperatorsError('unauthorized', 'Not good')
    const own: Role = role
    return {
      ...{ userId: ADA, email: 'ada@example.com', role: own, aal: 'aal2' },
      enteredAt: when === 'new' ? Date.now() : 0,
    }
  }
  const nobody = () => Promise.reject(new TypeError('not asked'))
  const operators: OperatorsEnd['operators'] = {
    as: (actor) => ({
      list: async () => [ada],
      async invite(asked) {
        done.push([actor, 'invite', asked])
        const made = { email: asked.email, role: 'editor', link: 'http://x/', kind: 'invite' } as const
        if (!asked.email.startsWith('unsent')) return { ...made, mail: 'sent' }
        return { ...made, mail: 'failed', mailFailure: 'timeout' }
      },
      async setRole(asked) {
        done.push([actor, 'role', asked])
        return { email: asked.email, role: 'viewer' }
      },
      remove: () => Promise.reject(new OperatorsError('last_owner', 'ada@example.com is the last owner')),
      ...{ reset: nobody, setup: nobody },
    }),
    hasOwner: async () => true,
    setUp: nobody,
  }
  const wire = { url: `${publicUrl}/-/backend/auth/v1`, secretKey: SECRET }
  const doors = openConsoleDoors({
    ...{ db, key: new Uint8Array(32), clock: systemClock, wire, access: { enter }, operators },
    ...{ consoleUrl: `${publicUrl}/-/console/`, isOwnEnd: true },
  })
  end = { operators, access: { enter }, doors }
})
beforeEach(() => {
  done = []
})
afterAll(() => db.close())

const people = (changed: { hasMail?: boolean; platformOperators?: boolean } = {}) => {
  const { hasMail = true, platformOperators = true } = changed
  const settings = { platform: undefined, platformOperators }
  return orgPeople({
    ...{ settings, publicUrl, secretKey: SECRET, hasMail, find: () => end, addressOf: () => '192.0.2.1' },
  })
}
const request = (bearer: string) =>
  new Request('http://platform/tool', { headers: { authorization: `Bearer ${bearer}` } })
const enter = (bearer: string, need: OrgNeed) =>
  people()
    ?.enter(request(bearer), need)
    .catch(({ status, message }: { status: number; message: string }) => ({ status, message }))
const READ: OrgNeed = { role: 'viewer', stepUp: false }
const KEEP: OrgNeed = { role: 'admin', stepUp: true }

it('lets an operator in with an API key as far as the role of the key goes, and never to keys and people', async () => {
  const { key } = await end.doors.apiKeys.add(
    { userId: ADA, role: 'owner' },
    { name: 'CI', role: 'editor', days: 1 },
  )
  const { key: ofOwner } = await end.doors.apiKeys.add(
    { userId: ADA, role: 'owner' },
    { name: 'all', role: 'owner', days: 1 },
  )
  expect(people()?.mayBeMember(key)).toBe(true)
  expect(await enter(key, READ)).toEqual({ name: 'ada@example.com (key CI)', userId: ADA, role: 'editor' })
  expect(await enter(key, { role: 'editor', stepUp: false })).toMatchObject({ userId: ADA })
  expect(await enter(key, { role: 'admin', stepUp: false })).toMatchObject({ status: 403 })
  expect(await enter(ofOwner, { role: 'admin', stepUp: false })).toMatchObject({ userId: ADA })
  expect(await enter(ofOwner, KEEP)).toMatchObject({
    status: 403,
    message: expect.stringContaining('No API key may do this'),
  })
  expect(await enter(`${key.slice(0, -1)}-`, READ)).toMatchObject({ status: 401 })
})

it('lets an owner keep keys and people with an access token that was confirmed a moment ago', async () => {
  expect(await enter('owner.new.x', KEEP)).toEqual({ name: 'ada@example.com', userId: ADA, role: 'admin' })
  expect(await enter('owner.old.x', KEEP)).toMatchObject({ status: 403 })
  expect(await enter('editor.new.x', KEEP)).toEqual({
    status: 403,
    message: 'This needs the role admin, and yours is editor',
  })
  expect(await enter('nobody.new.x', READ)).toMatchObject({ status: 401 })
  expect(await enter(SECRET, READ)).toMatchObject({ status: 401 })
})

it('shows and changes operators, in the name of who asks', async () => {
  const own = people()
  expect(await own?.list()).toEqual([
    {
      ...{ id: ADA, email: 'ada@example.com', role: 'admin' },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' },
    },
  ])
  const who = { name: 'bob@example.com' }
  await own?.setRole(who, request('x'), ADA.toUpperCase(), 'viewer')
  await own?.invite(who, request('x'), 'eve@example.com', 'editor')
  const actor = { name: 'bob@example.com', address: '192.0.2.1' }
  expect(done).toEqual([
    [actor, 'role', { email: 'ada@example.com', role: 'viewer' }],
    [actor, 'invite', { email: 'eve@example.com', role: 'editor' }],
  ])
  const nobody = '00000000-0000-4000-8000-000000000000'
  await expect(own?.setRole(who, request('x'), nobody, 'viewer')).rejects.toMatchObject({ status: 404 })
  await expect(own?.remove(who, request('x'), ADA)).rejects.toMatchObject({
    status: 400,
    message: 'ada@example.com is the last owner',
  })
})

it('tells of an invitation that stands though its mail was not sent', async () => {
  const invited = await people()?.invite({ name: 'x' }, request('x'), 'unsent@example.com', 'viewer')
  expect(invited?.unsent).toMatch(/^it was not sent \(timeout\)\. The invitation stands: invite them again/)
  expect(done).toHaveLength(1)
})

it('invites nobody without a mail server, and is not there where it is off', async () => {
  const invited = people({ hasMail: false })?.invite({ name: 'x' }, request('x'), 'eve@example.com', 'viewer')
  await expect(invited).rejects.toMatchObject({ status: 422 })
  expect(done).toEqual([])
  expect(people({ platformOperators: false })).toBeUndefined()
})
