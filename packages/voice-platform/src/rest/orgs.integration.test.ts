import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { PlatformClient } from '@heyline/platform-client'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { OrgMember, OrgPeople, OrgRole } from '../orgs/org-people.js'
import { ORG_ROLES } from '../orgs/org-people.js'
import { ApiError } from '../resources/api-error.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

const ADA = '00000000-0000-4000-8000-00000000000a'
const BOB = '00000000-0000-4000-8000-00000000000b'
const member = (id: string, email: string, role: OrgRole): OrgMember => ({
  ...{ id, email, role, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' },
})

let members: OrgMember[]
let done: string[]
/** Bearers are `member:ROLE`, or `member:ROLE:fresh` for who has just confirmed it. */
const people: OrgPeople = {
  mayBeMember: (bearer) => bearer.startsWith('member:'),
  async enter(request, { role, stepUp }) {
    const [, own = '', fresh] = request.headers.get('authorization')?.split(':') ?? []
    const ownRole = ORG_ROLES.find((one) => one === own)
    if (!ownRole) throw new ApiError(401, 'Invalid Key.')
    if (ORG_ROLES.indexOf(ownRole) > ORG_ROLES.indexOf(role))
      throw new ApiError(403, `This needs the role ${role}.`)
    if (stepUp && !fresh) throw new ApiError(403, 'Confirm that it is you.')
    return { name: 'bob@example.com', userId: BOB, role: ownRole }
  },
  list: async () => members,
  async invite({ name }, _, email, role) {
    if (email.startsWith('broken')) throw new ApiError(400, 'It is broken.')
    done.push(`${name} invites ${email} as ${role}`)
    return email.startsWith('unsent') ? { unsent: 'send it again.' } : {}
  },
  async setRole({ name }, _, userId, role) {
    done.push(`${name} makes ${userId} ${role}`)
  },
  async remove({ name }, _, userId) {
    done.push(`${name} removes ${userId}`)
  },
}

let db: Db
let bench: PlatformBench
let orgId: string
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db, { people, resourcesKey: Buffer.alloc(32, 7) })
  orgId = (await bench.client.orgs.list())[0]?.id ?? ''
})
beforeEach(() => {
  members = [member(ADA, 'ada@example.com', 'admin'), member(BOB, 'bob@example.com', 'viewer')]
  done = []
})
afterAll(async () => {
  await bench.close()
  await db.close()
})

const clientOf = (token: string) =>
  new PlatformClient({
    ...{ token, baseUrl: 'http://platform' },
    fetch: (input, init) => bench.platform.fetch(new Request(input, init)),
  })
const statusOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 200,
    ({ status }: { status: number }) => status,
  )

it('is one organisation, which can be renamed, and neither made nor deleted', async () => {
  const { orgs } = bench.client
  const renamed = await orgs.update(orgId, { name: 'Bakery' })
  expect(renamed).toMatchObject({ id: orgId, name: 'Bakery' })
  expect(await orgs.list()).toEqual([renamed])
  expect(await orgs.get(orgId)).toEqual(renamed)
  expect(await statusOf(orgs.get(ADA))).toBe(404)
  expect(await statusOf(orgs.update(orgId, { billingLimit: 5 }))).toBe(422)
  expect(await statusOf(orgs.create({ name: 'Second' }))).toBe(422)
  expect(await statusOf(orgs.delete(orgId))).toBe(422)
  expect(await statusOf(orgs.listUsers(ADA))).toBe(404)
})

it('the private key lists, invites, changes and removes its members', async () => {
  const { orgs } = bench.client
  expect((await orgs.listUsers(orgId)).map(({ email }) => email)).toEqual([
    'ada@example.com',
    'bob@example.com',
  ])
  await orgs.inviteUsers(orgId, { emails: ['eve@example.com', 'EVE@example.com'], role: 'editor' })
  await orgs.updateUserRole(orgId, { userId: BOB, role: 'admin' })
  await orgs.removeMember(orgId, ADA)
  expect(done).toEqual([
    'platform private key invites eve@example.com as editor',
    `platform private key makes ${BOB} admin`,
    `platform private key removes ${ADA}`,
  ])
  expect(await statusOf(orgs.leave(orgId))).toBe(400)
})

it('an invitation that fails is named, and the others are sent', async () => {
  const emails = ['broken@example.com', 'eve@example.com']
  await expect(bench.client.orgs.inviteUsers(orgId, { emails, role: 'viewer' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('broken@example.com is not invited: It is broken.'),
  })
  expect(done).toEqual(['platform private key invites eve@example.com as viewer'])
})

it('an invitation whose mail was not sent stands, which is told, and the others are sent', async () => {
  const emails = ['unsent@example.com', 'eve@example.com']
  await expect(bench.client.orgs.inviteUsers(orgId, { emails, role: 'viewer' })).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('unsent@example.com is invited, but got no mail: send it again.'),
  })
  expect(done).toHaveLength(2)
})

it('a private token reaches no members', async () => {
  const { value } = await bench.client.tokens.create({ tag: 'private' })
  const { orgs } = clientOf(value)
  expect(await orgs.list()).toHaveLength(1)
  expect(await statusOf(orgs.listUsers(orgId))).toBe(403)
  expect(await statusOf(orgs.inviteUsers(orgId, { emails: ['eve@example.com'], role: 'admin' }))).toBe(403)
  expect(await statusOf(orgs.removeMember(orgId, ADA))).toBe(403)
  expect(done).toEqual([])
})

it('members do what their role lets them, and leave', async () => {
  const [viewer, editor, admin] = ['viewer', 'editor', 'admin:fresh'].map((role) =>
    clientOf(`member:${role}`),
  )
  expect(await statusOf(clientOf('member:nobody').tools.list())).toBe(401)
  const tool = { type: 'endCall' } as const
  expect(await viewer?.tools.list()).toEqual([])
  expect(await statusOf(viewer?.tools.create(tool) ?? Promise.resolve())).toBe(403)
  expect(await statusOf(editor?.tools.create(tool) ?? Promise.resolve())).toBe(403)
  expect(await admin?.tools.create(tool)).toMatchObject(tool)
  expect(await editor?.sessions.create({ name: 'May' })).toMatchObject({ name: 'May' })
  expect(await statusOf(viewer?.calls.list() ?? Promise.resolve())).toBe(403)
  for (const [bearer, status] of [
    ['member:editor', 403],
    ['member:admin:fresh', 422],
  ] as const) {
    expect((await bench.request('GET', '/make/workflows', undefined, bearer)).status).toBe(status)
    expect((await bench.request('POST', '/voice-library/sync', {}, bearer)).status).toBe(status)
  }
  expect(await editor?.calls.list()).toEqual([])
  expect(await statusOf(editor?.tokens.list() ?? Promise.resolve())).toBe(403)
  expect(await admin?.tokens.create({ name: 'Ours' })).toMatchObject({ name: 'Ours' })
  expect(await statusOf(clientOf('member:admin').tokens.create({}))).toBe(403)
  for (const path of ['/call', '/call/phone', '/call/web'])
    expect((await bench.request('POST', path, {}, 'member:admin:fresh')).status).toBe(403)
  await clientOf('member:viewer:fresh').orgs.leave(orgId)
  expect(done).toEqual([`bob@example.com removes ${BOB}`])
})

it('a member below admin reads no fixed values of tools, and an admin does', async () => {
  const key = { type: 'string', value: 'hush-fixed' } as const
  const tool = {
    ...({ type: 'apiRequest', name: 'crm', method: 'POST', url: 'https://a.example/crm' } as const),
    ...{ body: { type: 'object', properties: { key } }, parameters: [{ key: 'key', value: 'hush-fixed' }] },
  }
  const model = { provider: 'openai', model: 'gpt-4o-mini', tools: [tool] }
  const made = await Promise.all([
    bench.request('POST', '/tool', tool),
    bench.request('POST', '/assistant', { name: 'Clerk', model }),
  ])
  expect(made.map(({ status }) => status)).toEqual([201, 201])
  const read = async (path: string, bearer?: string) =>
    (await bench.request('GET', path, undefined, bearer)).text()
  for (const [path, lesser] of [
    ['/tool', 'member:viewer'],
    ['/assistant', 'member:editor'],
  ] as const) {
    const shown = await read(path, lesser)
    expect(shown).toContain('https://a.example/crm')
    expect(shown).not.toContain('hush-fixed')
    for (const bearer of [undefined, 'member:admin']) expect(await read(path, bearer)).toContain('hush-fixed')
  }
})

it('a member below admin reads the origin of an MCP server, and an admin its address', async () => {
  const tool = { type: 'mcp', server: { url: 'https://mcp.example/s/hush-path/mcp' } } as const
  const model = { provider: 'openai', model: 'gpt-4o-mini', tools: [tool] }
  const made = await Promise.all([
    bench.request('POST', '/tool', tool),
    bench.request('POST', '/assistant', { name: 'Clerk', model }),
  ])
  expect(made.map(({ status }) => status)).toEqual([201, 201])
  const read = async (path: string, bearer?: string) =>
    (await bench.request('GET', path, undefined, bearer)).text()
  for (const [path, lesser] of [
    ['/tool', 'member:viewer'],
    ['/tool', 'member:editor'],
    ['/assistant', 'member:editor'],
  ] as const) {
    const shown = await read(path, lesser)
    expect(shown).toContain('"https://mcp.example"')
    expect(shown).not.toContain('hush-path')
    for (const bearer of [undefined, 'member:admin']) expect(await read(path, bearer)).toContain('hush-path')
  }
})

it('a member below admin reads no secrets of servers, in no answer', async () => {
  const server = { url: 'https://a.example/hook', secret: 'hush-hush', headers: { 'x-a': 'hush-hush' } }
  const model = { provider: 'openai', model: 'gpt-4o-mini' } as const
  const { id } = await bench.client.assistants.create({ name: 'Baker', server })
  await bench.client.assistants.update(id, { name: 'Cook' })
  await bench.client.squads.create({
    name: 'All',
    members: [{ assistantId: id, assistantOverrides: { server } }],
  })
  await bench.request('POST', '/template', {
    type: 'tool',
    name: 'One',
    details: { type: 'function', server },
  })
  await bench.request('POST', '/test-suite', { name: 'Suite', testerPlan: { assistant: { model, server } } })
  await bench.client.calls.createWeb({ assistant: { model, server } })
  const credentials = [{ provider: 'webhook', authenticationPlan: { type: 'bearer', token: 'hush-hush' } }]
  const overrides = { server, credentials, model: { ...model, headers: { a: 'hush-hush' } } }
  const customer = { number: '+12025550123', assistantOverrides: overrides }
  expect((await bench.request('POST', '/call', { assistantId: id, customer })).status).toBe(201)
  await bench.request('POST', '/session', { name: 'One', customer })
  await bench.request('POST', '/session', { name: 'Two', assistant: { model, server, credentials } })
  for (let at = 0; at < 60; at++)
    await db.query(
      `insert into voice_platform.chats (id, assistant_given, is_streamed, input, messages, output) values (gen_random_uuid(), $1::jsonb, false, '"x"', '[]', '[]')`,
      [{ model, server }],
    )
  const paths = ['/assistant', '/v2/assistant', `/assistant/${id}`, `/assistant/${id}/version`, '/squad']
  paths.push(
    '/template',
    '/test-suite',
    '/session',
    '/call',
    '/v2/call',
    '/chat?limit=1000',
    '/chat?limit=10',
    '/v2/call/export?format=json',
  )
  const read = async (path: string, bearer?: string) => {
    const answer = await bench.request('GET', path, undefined, bearer)
    expect([path, answer.status]).toEqual([path, 200])
    return await answer.text()
  }
  for (const path of paths) {
    expect([path, await read(path, 'member:editor')]).not.toEqual([path, expect.stringContaining('hush')])
    if (path.includes('export') || path === '/template') continue
    expect([path, await read(path)]).toEqual([path, expect.stringContaining('hush')])
    expect([path, await read(path, 'member:admin')]).toEqual([path, expect.stringContaining('hush')])
  }
  for (const bearer of ['member:editor', undefined])
    expect(await read('/v2/call/metadata', bearer)).not.toContain('hush')
  expect(await read(`/assistant/${id}`, 'member:editor')).toContain('https://a.example/hook')
})

it('a long list of assistants is the same whole answer, and without secrets below admin', async () => {
  const server = { url: 'https://a.example/hook', secret: 'hush-hush' }
  await db.query(
    `insert into voice_platform.assistants (settings)
     select $1::jsonb || jsonb_build_object('name', n::text, 'firstMessage', (select string_agg(md5(n || '-' || k), '') from generate_series(1, 3000) k))
     from generate_series(1, 30) n`,
    [{ server }],
  )
  for (const path of ['/assistant', '/v2/assistant?limit=1000'])
    for (const [bearer, shown] of [
      ['member:editor', { url: server.url }],
      ['member:admin', server],
    ] as const) {
      const answer = await bench.request('GET', path, undefined, bearer)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
      const body = await answer.json()
      const long = [body.results ?? body].flat().filter(({ firstMessage }) => firstMessage?.length > 90_000)
      expect(long.map((one) => [one.orgId, one.server])).toEqual(Array(30).fill([orgId, shown]))
      if (body.results) expect(body.metadata).toMatchObject({ totalItems: body.results.length })
    }
  await db.query(
    `delete from voice_platform.assistants where length(settings ->> 'firstMessage') > 90000`,
    [],
  )
})

it('below admin nobody stores in a suite what acts for who runs it', async () => {
  const { id: assistantId } = await bench.client.assistants.create({ name: 'Baker' })
  const server = { url: 'https://elsewhere.example/' }
  const acting = { targetPlan: { assistantId, assistantOverrides: { server } } }
  const open = { targetPlan: { assistantId, assistantOverrides: { firstMessage: 'Hello.' } } }
  const asked = async (method: string, path: string, body: object, bearer = 'member:editor') => {
    const answer = await bench.request(method, path, body, bearer)
    return { status: answer.status, body: await answer.json() }
  }
  const refused = {
    status: 403,
    body: { message: expect.stringContaining('targetPlan.assistantOverrides.server') },
  }
  expect(await asked('POST', '/test-suite', acting)).toMatchObject(refused)
  const { body: own } = await asked('POST', '/test-suite', open)
  expect(await asked('PATCH', `/test-suite/${own.id}`, acting)).toMatchObject(refused)
  const { status, body: theirs } = await asked('POST', '/test-suite', acting, 'member:admin')
  expect(status).toBe(201)
  const path = `/test-suite/${theirs.id}`
  expect(await asked('PATCH', path, open)).toMatchObject(refused)
  expect(await asked('PATCH', path, { name: 'Other' })).toMatchObject({
    ...{ status: 200, body: { name: 'Other', targetPlan: { assistantOverrides: { server } } } },
  })
  expect((await asked('PATCH', path, open, 'member:admin')).status).toBe(200)
})

it('below admin nobody stores in a session an assistant that acts for who goes on with it', async () => {
  const model = { provider: 'openai', model: 'gpt-4o-mini' }
  const session = async (settings: object, bearer = 'member:editor') => {
    const answer = await bench.request('POST', '/session', settings, bearer)
    return { status: answer.status, body: await answer.json() }
  }
  const asked = (assistant: object, bearer?: string) => session({ assistant }, bearer)
  const tools = [{ type: 'function', function: { name: 'pay' } }]
  expect(await asked({ model: { ...model, tools } })).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('assistant.model.tools acts or reads') },
  })
  expect((await asked({ model: { ...model, tools } }, 'member:admin')).status).toBe(201)
  expect((await asked({ model, firstMessage: 'Hello.' })).status).toBe(201)
  const forCustomer = (assistantOverrides: object) => ({ customer: { name: 'Ann', assistantOverrides } })
  const another = forCustomer({ variableValues: { customer: { number: '+14155552671' } } })
  expect(await session(another)).toMatchObject({
    status: 403,
    body: {
      message: expect.stringContaining('customer.assistantOverrides.variableValues.customer acts or reads'),
    },
  })
  expect((await session(another, 'member:admin')).status).toBe(201)
  expect((await session(forCustomer({ variableValues: { city: 'Rome' } }))).status).toBe(201)
})

it('below admin nobody says where a knowledge base asks', async () => {
  const server = { url: 'https://elsewhere.example/' }
  const base = { provider: 'custom-knowledge-base', server }
  const asked = async (method: string, path: string, body: object, bearer: string) => {
    const answer = await bench.request(method, path, body, bearer)
    return { status: answer.status, body: await answer.json() }
  }
  const refused = { status: 403, body: { message: expect.stringContaining('only an admin') } }
  expect(await asked('POST', '/knowledge-base', base, 'member:editor')).toMatchObject(refused)
  const made = await asked('POST', '/knowledge-base', base, 'member:admin')
  expect(made.status).toBe(201)
  const path = `/knowledge-base/${made.body.id}`
  expect(await asked('PATCH', path, { server }, 'member:editor')).toMatchObject(refused)
})

it('what a member reads waits for its turn, and the private key for none of it', async () => {
  await bench.client.sessions.create({ name: 'May' })
  for (const [method, path, body] of [
    ['GET', '/session'],
    ['GET', '/v2/call'],
    ['GET', '/logs'],
    ['PATCH', `/session/${ADA}`, { name: 'June' }],
    ['PATCH', `/knowledge-base/${ADA}`, { name: 'June' }],
    ['DELETE', `/knowledge-base/${ADA}`],
    ['PATCH', `/file/${ADA}`, { name: 'June' }],
    ['DELETE', `/file/${ADA}`],
  ] as const) {
    const many = (bearer?: string) =>
      Promise.all(Array.from({ length: 60 }, () => bench.request(method, path, body, bearer)))
    const statuses = async (bearer?: string) => new Set((await many(bearer)).map(({ status }) => status))
    const found = method === 'GET' ? 200 : 404
    expect(await statuses('member:editor')).toEqual(new Set([found, 429]))
    expect(await statuses()).toEqual(new Set([found]))
    // All turns were given back.
    expect((await bench.request(method, path, body, 'member:editor')).status).toBe(found)
  }
})

it('a long list of assistants or chats breaks off soon after its member is removed', async () => {
  await db.query(
    `insert into voice_platform.assistants (settings)
     select jsonb_build_object('name', n::text) from generate_series(1, 30) n`,
    [],
  )
  await db.query(
    `insert into voice_platform.chats (id, is_streamed, input, messages, output)
     select gen_random_uuid(), false, '"x"', '[]', '[]' from generate_series(1, 60) n`,
    [],
  )
  const clock = new ManualClock()
  let isRemoved = false
  const enter: OrgPeople['enter'] = async (...asked) => {
    if (isRemoved) throw new ApiError(401, 'Invalid Key.')
    return await people.enter(...asked)
  }
  const other = await startPlatform(db, { people: { ...people, enter }, clock })
  try {
    for (const path of ['/assistant', '/v2/assistant?limit=1000', '/chat?limit=1000']) {
      const answer = await other.request('GET', path, undefined, 'member:editor')
      const body = answer.body?.getReader()
      // What stands before the list, and its first part.
      for (let piece = 0; piece < 2; piece++) await body?.read()
      clock.advance(9_000)
      isRemoved = true
      await expect(body?.read()).rejects.toThrow('Invalid Key')
      isRemoved = false
    }
  } finally {
    await other.close()
  }
})

it('an export goes on for a member, and breaks off soon after the member is removed or an admin no more', async () => {
  const clock = new ManualClock()
  let isRemoved = false
  let role: OrgRole | undefined
  const enter: OrgPeople['enter'] = async (...asked) => {
    if (isRemoved) throw new ApiError(401, 'Invalid Key.')
    return { ...(await people.enter(...asked)), ...(role && { role }) }
  }
  const other = await startPlatform(db, { people: { ...people, enter }, clock })
  try {
    const exported = async () => {
      const answer = await other.request('GET', '/v2/call/export?format=json', undefined, 'member:editor')
      clock.advance(9_000)
      return answer
    }
    expect(await (await exported()).json()).toEqual(expect.any(Array))
    const begun = await exported()
    isRemoved = true
    await expect(begun.text()).rejects.toThrow('Invalid Key')
    isRemoved = false
    // Its turn has ended.
    await (await exported()).text()
    role = 'admin'
    const begunByAdmin = await exported()
    role = 'editor'
    await expect(begunByAdmin.text()).rejects.toThrow('Your role has changed')
  } finally {
    await other.close()
  }
})

it('its token stands for the public key, and opens nothing else', async () => {
  const { accessToken } = await bench.client.orgs.getAuth(orgId)
  const own = clientOf(accessToken)
  expect(await statusOf(own.assistants.list())).toBe(401)
  expect(await statusOf(own.orgs.list())).toBe(401)
  const { id } = await bench.client.assistants.create({ name: 'Baker' })
  const asked = await Promise.all(
    [accessToken, 'public-key-for-tests'].map((key) =>
      bench.request('POST', '/call/web', { assistantId: id }, key).then(({ status }) => status),
    ),
  )
  expect(asked[0]).toBe(asked[1])
})

it('without the setting, members are not served, and say so', async () => {
  const other = await startPlatform(db, {})
  try {
    await expect(other.client.orgs.listUsers(orgId)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('PLATFORM_OPERATORS=on'),
    })
    expect((await other.request('GET', '/tool', undefined, 'member:admin')).status).toBe(401)
  } finally {
    await other.close()
  }
})
