import type { Db } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ResourceStore } from '../resources/resource-store.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { credentialStore } from './families.js'

const TEST = { type: 'chat', script: 'Ask for bread.', scorers: [{ type: 'ai', rubric: 'It sells bread.' }] }

let db: Db
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db, { resourcesKey: Buffer.alloc(32, 7) })
})
afterAll(async () => {
  await bench.close()
  await db.close()
})

const asked = async (method: string, path: string, body?: unknown) => {
  const response = await bench.request(method, path, body)
  return { status: response.status, body: await response.json() }
}
/** The rows of a list, plain or in pages. */
const rowsOf = ({ body }: { body: unknown }): unknown =>
  body instanceof Object && 'results' in body ? body.results : body

describe.each([
  { path: '/session', body: { name: 'May' }, filter: 'name=May', other: 'name=June' },
  {
    path: '/template',
    body: [{ type: 'tool', provider: 'make' }],
    filter: 'provider=make',
    other: 'provider=ghl',
  },
  { path: '/credential', body: { provider: 'openai', name: 'May' } },
  { path: '/test-suite', body: { name: 'May' } },
  { path: '/test-suite/SUITE/test', body: TEST },
])('$path', ({ path: given, body, filter = '', other }) => {
  it('is created, read back, listed, filtered, changed and deleted', async () => {
    const suite = given.includes('SUITE') ? (await asked('POST', '/test-suite', {})).body.id : ''
    const path = given.replace('SUITE', suite)
    const made = await asked('POST', path, body)
    expect(made).toMatchObject({ status: 201, body: Array.isArray(body) ? body[0] : body })
    const one = `${path}/${made.body.id}`
    expect(await asked('GET', one)).toEqual({ status: 200, body: made.body })
    expect(rowsOf(await asked('GET', `${path}?${filter}`))).toContainEqual(made.body)
    if (other) expect(rowsOf(await asked('GET', `${path}?${other}`))).toEqual([])
    expect(rowsOf(await asked('GET', `${path}?createdAtLt=2000-01-01`))).toEqual([])
    expect((await asked('GET', `${path}?nothing=1`)).status).toBe(400)
    const changed = await asked('PATCH', one, { name: 'July' })
    expect(changed.body).toEqual({ ...made.body, name: 'July', updatedAt: changed.body.updatedAt })
    expect((await asked('PATCH', one, { name: 5 })).status).toBe(400)
    expect(await asked('DELETE', one)).toEqual({ status: 200, body: changed.body })
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await asked(method, one, method === 'PATCH' ? {} : undefined)).status).toBe(404)
  })
})

it('a credential shows nothing but its provider and name, and is stored sealed', async () => {
  const { credentials } = bench.client
  const made = await credentials.create({ provider: 'openai', apiKey: 'hush-hush', name: 'Ours' })
  expect(Object.keys(made).sort()).toEqual(['createdAt', 'id', 'name', 'orgId', 'provider', 'updatedAt'])
  const { rows } = await db.query<{ row: string; sealed: string }>(
    'select r::text as row, sealed from voice_platform.resources r where id = $1',
    [made.id],
  )
  expect(rows[0]?.row).not.toContain('hush')
  expect(rows[0]?.sealed).toMatch(/^v1\./)
  expect((await asked('PATCH', `/credential/${made.id}`, { provider: 'groq' })).status).toBe(400)
})

describe('a change of a credential', () => {
  const make = { provider: 'make', apiKey: 'hush', teamId: '4', region: 'eu1' }
  const stored = async (id: string) => (await credentialStore(db, Buffer.alloc(32, 7)).whole([id]))[0]

  it('keeps what it does not name', async () => {
    const { id } = (await asked('POST', '/credential', make)).body
    expect((await asked('PATCH', `/credential/${id}`, { name: 'Ours' })).status).toBe(200)
    expect((await asked('PATCH', `/credential/${id}`, { region: 'eu2' })).status).toBe(200)
    expect(await stored(id)).toEqual({ ...make, name: 'Ours', region: 'eu2' })
  })

  it('takes the place of what was sealed with another key', async () => {
    const { id } = (await asked('POST', '/credential', make)).body
    const { id: otherId } = (await asked('POST', '/credential', make)).body
    const unknown =
      'update voice_platform.resources a set sealed = b.sealed from voice_platform.resources b where a.id = $1 and b.id = $2'
    await db.query(unknown, [id, otherId])
    const lacking = await asked('PATCH', `/credential/${id}`, { apiKey: 'new' })
    expect(lacking).toMatchObject({
      status: 400,
      body: { message: expect.arrayContaining([expect.stringContaining('teamId')]) },
    })
    const { provider: _, ...whole } = make
    expect((await asked('PATCH', `/credential/${id}`, { ...whole, apiKey: 'new' })).status).toBe(200)
    expect(await stored(id)).toEqual({ ...make, apiKey: 'new' })
  })

  it('sends no key to another place than it was given for', async () => {
    const nango = { provider: 'nango', apiKey: 'hush', url: 'https://a.example/' }
    const { id } = (await asked('POST', '/credential', nango)).body
    const elsewhere = await asked('PATCH', `/credential/${id}`, { url: 'https://b.example/' })
    expect(elsewhere).toMatchObject({
      status: 400,
      body: { message: 'url says where other fields are sent: give them again with it (apiKey).' },
    })
    expect(await stored(id)).toEqual(nango)
    const change = { url: 'https://b.example/', apiKey: 'new' }
    expect((await asked('PATCH', `/credential/${id}`, change)).status).toBe(200)
    expect(await stored(id)).toEqual({ ...nango, ...change })
  })
})

it('a credential is of a provider that there is, and has what its account needs', async () => {
  const refused = async (method: string, path: string, body: object) => {
    const answer = await asked(method, path, body)
    return [answer.status, answer.body.message].flat().join(' ')
  }
  expect(await refused('POST', '/credential', { provider: 'bogus' })).toMatch(
    /^400 provider must be one of the following values: 11labs, /,
  )
  expect(await refused('POST', '/credential', { provider: 'make', apiKey: 'k' })).toBe(
    '400 teamId must be the id of a team at Make region must be a zone of Make, such as eu1',
  )
  expect(await refused('POST', '/credential', { provider: '11labs' })).toBe(
    '400 apiKey must be the API key of an account at ElevenLabs',
  )
  const { id } = (await asked('POST', '/credential', { provider: '11labs', apiKey: 'k' })).body
  expect(await refused('PATCH', `/credential/${id}`, { apiKey: '' })).toMatch(/^400 apiKey must be/)
  for (const provider of ['twilio', 'slack-webhook', 's3-compatible', 'trieve'])
    expect((await asked('POST', '/credential', { provider })).status).toBe(201)
})

it.each([
  [{ messages: [{ role: 'user' }] }, 'messages.0 must have either content or message'],
  [{ messages: [{ role: 'bogus', content: 'x' }] }, 'messages.0.role must be one of the following values'],
  [
    { assistantId: '00000000-0000-4000-8000-00000000000a' },
    "Couldn't get assistant: 00000000-0000-4000-8000-00000000000a does not exist.",
  ],
  [
    { customer: { number: '(415) 555-2671' } },
    'customer.number must be a valid phone number in the E.164 format',
  ],
])('a session is refused with %j', async (session, text) => {
  const { status, body } = await asked('POST', '/session', session)
  expect([status, String(body.message)]).toEqual([400, expect.stringContaining(text)])
})

it('lists are narrowed to what the version before stores, too', async () => {
  const { rows } = await db.query(
    `insert into voice_platform.resources (family, settings) values ('session', '{"name":"Older"}') returning id`,
    [],
  )
  const found = async (name: string) => rowsOf(await asked('GET', `/session?name=${name}`))
  expect(await found('Older')).toMatchObject([rows[0]])
  await db.query(
    `update voice_platform.resources set settings = settings || '{"name":"Newer"}' where id = $1`,
    [rows[0]?.id],
  )
  expect(await found('Older')).toEqual([])
  expect(await found('Newer')).toMatchObject([rows[0]])
})

it('lists are narrowed without a look into the settings, which may have a megabyte in each row', async () => {
  const assistantId = (await asked('POST', '/assistant', {})).body.id
  const suite = `/test-suite/${(await asked('POST', '/test-suite', {})).body.id}/test`
  const collectionId = 'x'.repeat(20_000)
  const made = {
    '/session': (await asked('POST', '/session', { name: 'Found', assistantId })).body,
    '/template': (
      await asked('POST', '/template', {
        ...{ type: 'tool', provider: 'function', visibility: 'public', metadata: { collectionId } },
      })
    ).body,
    [suite]: (await asked('POST', suite, TEST)).body,
  }
  const query = vi.spyOn(db, 'query')
  const found = async (path: string, filter: string) => rowsOf(await asked('GET', `${path}?${filter}`))
  expect(await found('/session', `name=Found&assistantId=${assistantId}`)).toEqual([made['/session']])
  expect(await found('/session', `name=Found&assistantId=${suite}`)).toEqual([])
  expect(await found('/session', 'name=Found&workflowId=x')).toEqual([])
  const template = (id: string) => `visibility=public&provider=function&collectionId=${id}`
  expect(await found('/template', template(collectionId))).toEqual([made['/template']])
  expect(await found('/template', template('x'.repeat(19_999)))).toEqual([])
  expect(await found('/template', 'visibility=private&provider=function')).toEqual([])
  expect(await found(suite, '')).toEqual([made[suite]])
  const looks = query.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes('family ='))
  query.mockRestore()
  expect(looks.length).toBeGreaterThanOrEqual(7)
  for (const sql of looks) expect(sql).not.toMatch(/settings (#|-)>/)
  await asked('DELETE', `/template/${made['/template'].id}`)
})

it('a session takes any spelling of a number whose check is switched off', async () => {
  const customer = { number: '(415) 555-2671', numberE164CheckEnabled: false }
  expect(await asked('POST', '/session', { customer })).toMatchObject({ status: 201, body: { customer } })
})

it('a session takes back what chats have left in it, and outlives its assistant', async () => {
  const { id: assistantId } = await bench.client.assistants.create({ name: 'Baker' })
  const messages = [
    { role: 'system', message: 'x', time: 1, secondsFromStart: 0 },
    { role: 'assistant', content: 'x'.repeat(20_000) },
    { role: 'developer', content: 'x' },
  ]
  const { status, body } = await asked('POST', '/session', { assistantId, messages })
  expect(status).toBe(201)
  await bench.client.assistants.delete(assistantId)
  expect((await asked('PATCH', `/session/${body.id}`, { messages: body.messages })).status).toBe(200)
})

it.each([
  [{ type: 'bogus' }, 'type must be one of the following values: apiRequest, bash'],
  [{ type: 'bash' }, 'subType must be a string,name must be one of the following values: bash'],
  [
    { type: 'computer', subType: 'computer_20241022', name: 'computer' },
    'displayWidthPx must be a number,displayHeightPx must be a number',
  ],
  [{ type: 'make' }, 'metadata must be an object'],
])('a tool is refused as %j', async (tool, text) => {
  const { status, body } = await asked('POST', '/tool', tool)
  expect([status, String(body.message)]).toEqual([400, expect.stringContaining(text)])
})

it('a template’s tool has a type that there is', async () => {
  const { status, body } = await asked('POST', '/template', { type: 'tool', details: { type: 'bogus' } })
  expect([status, String(body.message)]).toEqual([400, expect.stringMatching(/^details\.type must be one/)])
})

it('what has an id of its own is stored once, however many store it at once', async () => {
  const store = new ResourceStore(db, { name: 'note', secrets: {}, destinations: [] })
  const id = '00000000-0000-8000-8000-00000000000a'
  const made = await Promise.all([1, 2, 3].map((turn) => store.createOnce(id, { turn })))
  expect(await store.list({ limit: 10 })).toEqual([made[0]])
  expect(new Set(made.map(({ turn }) => turn)).size).toBe(1)
})

it.each(['POST', 'GET'])(
  'without a call desk a campaign is refused in words at %s: it would never begin',
  async (method) => {
    const refused = await asked(method, '/campaign', method === 'POST' ? {} : undefined)
    expect(refused).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('it needs the call desk') },
    })
  },
)

it('pinned templates are the public ones', async () => {
  const { templates } = bench.client
  const made = await templates.create([{ type: 'tool', visibility: 'public' }])
  await templates.create([{ type: 'tool' }])
  expect(await templates.listPinned()).toEqual([made])
})

it('stores all templates of a list or none, and answers with the first', async () => {
  const { templates } = bench.client
  const details = (name: string) => ({ type: 'function' as const, function: { name } })
  const first = await templates.create([
    { type: 'tool', name: 'Bake', details: details('bake') },
    { type: 'tool', name: 'Sell', details: details('sell') },
  ])
  expect(first).toMatchObject({ name: 'Bake', details: details('bake'), visibility: 'private' })
  const named = async () => (await templates.list()).map(({ name }) => name)
  expect(await named()).toEqual(expect.arrayContaining(['Bake', 'Sell']))
  const before = await named()
  const broken = [
    { type: 'tool', name: 'Whole' },
    { type: 'tool', name: 5 },
  ]
  expect(await asked('POST', '/template', broken)).toMatchObject({
    status: 400,
    body: { message: ['1.name must be a string'] },
  })
  const full = Array.from({ length: 100 }, () => ({ details: { text: 'x'.repeat(9_000) } }))
  await db.query(
    `insert into voice_platform.resources (id, family, settings, bytes) values (gen_random_uuid(), 'template', '{"name":"Large"}', 199500000)`,
    [],
  )
  expect((await asked('POST', '/template', full)).status).toBe(400)
  await db.query(`delete from voice_platform.resources where settings ->> 'name' = 'Large'`, [])
  expect(await named()).toEqual(before)
  for (const list of [[], Array.from({ length: 101 }, () => ({}))])
    expect(await asked('POST', '/template', list)).toMatchObject({
      status: 400,
      body: { message: ['body must be a list of 1 to 100'] },
    })
})

it('a session takes one assistant, and no number that is not stored', async () => {
  const assistant = { firstMessage: 'Hello.' }
  const made = await asked('POST', '/session', { assistant })
  expect(made).toMatchObject({ status: 201, body: { assistant } })
  const two = { assistant, assistantId: made.body.id }
  expect(await asked('POST', '/session', two)).toMatchObject({
    status: 400,
    body: { message: 'Only one of assistant and assistantId can be provided.' },
  })
  expect(await asked('POST', '/session', { assistant: { firstMessage: 7 } })).toMatchObject({
    status: 400,
    body: { message: ['assistant.firstMessage must be a string'] },
  })
  const phoneNumber = { twilioPhoneNumber: '+12025550142', twilioAccountSid: 'AC1' }
  expect(await asked('POST', '/session', { phoneNumber })).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('give phoneNumberId'), error: 'Not Served' },
  })
})

it('a test belongs to its suite, and goes with it', async () => {
  const [one, two] = await Promise.all([asked('POST', '/test-suite', {}), asked('POST', '/test-suite', {})])
  const test = await asked('POST', `/test-suite/${one.body.id}/test`, TEST)
  expect(test.body.testSuiteId).toBe(one.body.id)
  expect((await asked('GET', `/test-suite/${two.body.id}/test/${test.body.id}`)).status).toBe(404)
  expect((await asked('DELETE', `/test-suite/${two.body.id}/test/${test.body.id}`)).status).toBe(404)
  await asked('DELETE', `/test-suite/${one.body.id}`)
  const { rows } = await db.query('select 1 from voice_platform.resources where id = $1', [test.body.id])
  expect(rows).toEqual([])
})

it('one that has grown too large is refused', async () => {
  const { id } = (await asked('POST', '/template', [{ type: 'tool' }])).body
  const large = { text: 'x'.repeat(600_000) }
  expect((await asked('PATCH', `/template/${id}`, { metadata: large })).status).toBe(200)
  expect((await asked('PATCH', `/template/${id}`, { details: large })).status).toBe(413)
})
