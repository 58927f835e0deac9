import type { Db } from '@heyline/database'
import { operations } from '@heyline/platform-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CampaignDesk } from '../campaigns/campaign-desk.js'
import { ORG_ROLES, type OrgPeople, type OrgRole } from '../orgs/org-people.js'
import { ApiError } from '../resources/api-error.js'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { SMALLEST } from '../testing/smallest-requests.js'
import { needOf } from './role-table.js'

const MEMBER = 'the bearer of a member'
const SOMEONE = '00000000-0000-4000-8000-000000000000'
/** Of the member; undefined once they are removed. */
let role: OrgRole | undefined
const done: string[] = []
const notAsked = (): never => {
  throw new TypeError('not asked')
}
const people: OrgPeople = {
  mayBeMember: (bearer) => bearer === MEMBER,
  async enter(_, need) {
    if (!role) throw new ApiError(401, 'Invalid Key.')
    if (ORG_ROLES.indexOf(role) > ORG_ROLES.indexOf(need.role))
      throw new ApiError(403, `This needs the role ${need.role}.`)
    return { name: 'bo@example.com', userId: SOMEONE, role }
  },
  ...{ list: notAsked, setRole: notAsked, remove: notAsked },
  async invite(_actor, _request, email) {
    done.push(email)
    return {}
  },
}
const desk: CampaignDesk = {
  ...{ create: notAsked, list: notAsked, get: notAsked, change: notAsked, end: notAsked },
  ...{ delete: notAsked, ofCall: notAsked },
}

let db: Db
let bench: PlatformBench
let orgId: string
let testSuiteId: string
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db, { people, resourcesKey: Buffer.alloc(32, 7), campaigns: () => desk })
  orgId = (await bench.client.orgs.list())[0]?.id ?? ''
  testSuiteId = (await bench.client.testSuites.create({})).id
  for (const provider of ['11labs', 'nango'])
    await bench.request('POST', '/credential', { provider, apiKey: 'a-key' })
})
afterAll(async () => {
  await bench.close()
  await db.close()
})

interface Late {
  method: string
  path: string
  body: unknown
  key: string
  /** What happens once all but the last byte is read. */
  meanwhile(): unknown
}

/** Sends a request whose body ends after something else. Undefined where the body was not read. */
async function late({ method, path, body, key, meanwhile }: Late) {
  const whole = new Response(body instanceof FormData ? body : JSON.stringify(body))
  const type = body instanceof FormData ? whole.headers.get('content-type') : 'application/json'
  const bytes = new Uint8Array(await whole.arrayBuffer())
  const pieces = [bytes.subarray(0, -1), bytes.subarray(-1)]
  let isRead = false
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = pieces.shift()
        if (pieces.length === 0) {
          isRead = true
          await meanwhile()
        }
        if (piece) controller.enqueue(piece)
        if (pieces.length === 0) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { authorization: `Bearer ${key}`, 'content-type': type ?? '' }
  const init = { method, headers, body: stream, duplex: 'half' }
  const answer = await bench.platform.fetch(new Request(`http://platform${path}`, init))
  return isRead ? { status: answer.status, text: await answer.text() } : undefined
}

/** The operations with a body, and the path of each. */
const withBodies = () =>
  operations.flatMap(({ method, path }) => {
    const { body, provider = '' } = SMALLEST[`${method} ${path}`]?.({ assistant: SOMEONE }) ?? {}
    if (body === undefined) return []
    const filled = path
      .replace('/org/{id}', `/org/${orgId}`)
      .replace('{testSuiteId}', testSuiteId)
      .replace('{provider}', provider)
      .replace(/\{\w+\}/g, SOMEONE)
    return [{ method, path: filled, body, name: `${method} ${path}` }]
  })

const stored = async () =>
  (
    await db.query(
      `select (select count(*) from voice_platform.assistants) as assistants, (select count(*) from voice_platform.resources) as resources,
         (select count(*) from voice_platform.files) as files, (select count(*) from voice_platform.calls) as calls,
         (select count(*) from voice_platform.tokens) as tokens`,
      [],
    )
  ).rows

it('does nothing that a token asks for which was revoked before the body ended', async () => {
  const unread: string[] = []
  const before = await stored()
  for (const { name, ...operation } of withBodies()) {
    const { id, value } = await bench.client.tokens.create({ tag: 'private' })
    const meanwhile = () => bench.client.tokens.delete(id)
    const answer = await late({ ...operation, key: value, meanwhile })
    if (answer) expect([name, answer.status]).toEqual([name, 401])
    else {
      unread.push(name)
      await meanwhile()
    }
  }
  // Each is refused to tokens, or to everybody.
  expect(unread).toEqual([
    'POST /phone-number/import/vonage',
    'POST /org',
    'POST /org/{id}/invite',
    'PATCH /org/{id}/role',
    'POST /voice-library/create-sesame-voice',
  ])
  expect(await stored()).toEqual(before)
})

it.each([
  ['is removed', undefined, 401],
  ['gets a lesser role', 'viewer', 403],
] as const)('does nothing that a member asks for who %s before the body ends', async (_, then, status) => {
  const before = await stored()
  let asked = 0
  for (const { name, ...operation } of withBodies()) {
    const { method, path } = operation
    if (!needOf(method, path)) continue
    role = 'admin'
    const meanwhile = () => {
      role = then
    }
    const answer = await late({ ...operation, key: MEMBER, meanwhile })
    if (!answer) continue
    asked += 1
    expect([name, answer.status]).toEqual([name, status])
  }
  expect(asked).toBeGreaterThan(35)
  expect(await stored()).toEqual(before)
  expect(done).toEqual([])
})

it('has an admin who is an editor by now ask again, as what editors may store is less', async () => {
  role = 'admin'
  const meanwhile = () => {
    role = 'editor'
  }
  const { body } = SMALLEST['POST /knowledge-base']?.({}) ?? {}
  const answer = await late({ method: 'POST', path: '/knowledge-base', body, key: MEMBER, meanwhile })
  expect(answer).toEqual({ status: 403, text: expect.stringContaining('Your role has changed meanwhile') })
})

it.each([
  ['has other restrictions by now', { restrictions: { allowedOrigins: ['https://a.example'] } }, 403],
  ['is switched off', { restrictions: { enabled: false } }, 401],
])('starts no web call with a public token that %s', async (_, change, status) => {
  const { id: assistantId } = await bench.client.assistants.create({ name: 'Ava' })
  const { id, value } = await bench.client.tokens.create({ tag: 'public' })
  const meanwhile = () => bench.client.tokens.update(id, change)
  const asked = { method: 'POST', path: '/call/web', body: { assistantId }, key: value }
  expect(await late({ ...asked, meanwhile() {} })).toMatchObject({ status: 201 })
  expect(await late({ ...asked, meanwhile })).toMatchObject({ status })
})

it('does what is asked slowly by whoever may still ask it', async () => {
  role = 'editor'
  const body = { provider: 'function' }
  for (const key of [MEMBER, KEYS.private]) {
    const answer = await late({ method: 'POST', path: '/template', body, key, meanwhile() {} })
    expect(answer).toMatchObject({ status: 201 })
  }
})
