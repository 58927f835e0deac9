import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { Knowledge } from '../knowledge/knowledge.js'
import type { OrgPeople } from '../orgs/org-people.js'
import { ApiError } from '../resources/api-error.js'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { settled } from '../testing/session-bench.js'
import { TokenStore } from '../tokens/token-store.js'
import { Doorkeeper } from './access.js'

const clock = new ManualClock()
let isMember: boolean
let invited: string[]
const notAsked = (): never => {
  throw new TypeError('not asked')
}
const people: OrgPeople = {
  mayBeMember: (bearer) => bearer === 'member',
  async enter() {
    if (!isMember) throw new ApiError(401, 'Invalid Key.')
    return { name: 'bo@example.com', userId: 'bo', role: 'admin' }
  },
  ...{ list: notAsked, setRole: notAsked, remove: notAsked },
  /** A mail takes two seconds. Who invites is removed while the second is sent. */
  async invite(_actor, _request, email) {
    invited.push(email)
    clock.advance(2_000)
    if (invited.length === 2) isMember = false
    return {}
  },
}

let db: Db
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db, { people, clock })
})
beforeEach(() => {
  isMember = true
  invited = []
})
afterAll(async () => {
  await bench.close()
  await db.close()
})

const requestOf = (bearer: string, method = 'GET') =>
  new Request('http://platform/template', { method, headers: { authorization: `Bearer ${bearer}` } })
const keeperOf = (tokens = new TokenStore(db, clock)) =>
  new Doorkeeper(KEYS, tokens, undefined, { people }, clock)

it.each(['GET', 'POST'])('refuses a member who was removed before the turn of a %s came', async (method) => {
  const keeper = keeperOf()
  const running = [requestOf('member'), requestOf('member')]
  for (const request of running) await keeper.admit(request, 'private')
  const request = requestOf('member', method)
  const waiting = expect(
    keeper.admit(request, 'private').then(() => keeper.takeTurn(request)),
  ).rejects.toMatchObject({ status: 401 })
  await settled()
  isMember = false
  clock.advance(1_000)
  for (const one of running) keeper.endTurn(one)
  await waiting
  keeper.endTurn(request)
})

it('makes no more parts of a long answer once the token is revoked that asked for it', async () => {
  const tokens = new TokenStore(db, clock)
  const keeper = keeperOf(tokens)
  const { id, value = '' } = await tokens.create({ tag: 'private' })
  const request = requestOf(value)
  await keeper.admit(request, 'private')
  const parts = keeper.inTurns(
    request,
    (async function* () {
      yield* [1, 2, 3]
    })(),
  )
  expect(await parts.next()).toEqual({ done: false, value: 1 })
  await tokens.delete(id)
  clock.advance(8_000)
  await expect(parts.next()).rejects.toMatchObject({ status: 401 })
})

it('invites nobody else once the admin is removed who invites', async () => {
  const [{ id }] = await (await bench.request('GET', '/org')).json()
  const emails = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']
  const answer = await bench.request('POST', `/org/${id}/invite`, { emails, role: 'editor' }, 'member')
  const { message } = await answer.json()
  expect([answer.status, message]).toEqual([
    401,
    ['c@example.com is not invited: Invalid Key.', 'd@example.com is not invited: Invalid Key.'],
  ])
  expect(invited).toEqual(['a@example.com', 'b@example.com'])
})

it.each([1, 2])('keeps nothing of a file whose sender is removed before turn %i of it', async (turn) => {
  const knowledge = new Knowledge(db, { read: async () => [{ text: 'We sell bread.' }] })
  let turns = 0
  const check = async () => {
    turns += 1
    if (turns === turn) throw new ApiError(401, 'Invalid Key.')
  }
  const file = { name: 'bread.txt', content: Buffer.from('We sell bread.') }
  await expect(knowledge.take('installation', file, 'bo', check)).rejects.toMatchObject({ status: 401 })
  expect(await knowledge.files('installation').list()).toEqual([])
})
