import { type Operator, OperatorsError, openConsoleDoors, type Role, readAudit } from '@heyline/back-office'
import { eachOperation, type OperationRole } from '@heyline/back-office/operations'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { systemClock } from '@heyline/kit/clock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OperatorsEnd } from '../ends/operators-end.js'
import { testEndpoints, UNASKED_PARTS } from '../testing/office-parts.js'
import { ownVisitors } from '../visitors/own-visitors.js'
import { office } from './office.js'

const id = 'abcdef01-0000-4000-8000-000000000000'
let db: Db
beforeAll(async () => {
  db = await openTestDb()
  await db.exec(`insert into call_desk.call_requests (id, phone, slug, body_hash, state, transcript)
    values ('${id}', '+12025550101', 'acme', 'x', 'ended', 'User: My number is 202 555 0101.')`)
})
afterAll(() => db.close())

/** Whoever sends `ROLE.x.y` is an operator of this role. */
const enter = async (token: string): Promise<Operator> => {
  const role = token.split('.')[0] as Role
  if (!['owner', 'editor', 'viewer'].includes(role)) throw new OperatorsError('unauthorized', 'Not good')
  return { userId: id, email: `${role}@example.com`, role, aal: 'aal1', enteredAt: 0 }
}
const operators: OperatorsEnd['operators'] = {
  as: () => {
    throw new TypeError('not asked')
  },
  hasOwner: async () => true,
  setUp: async () => ({ email: '', isNew: true }),
}
const OWN = { publicUrl: 'http://localhost:3000', origins: ['http://localhost:3000'] }
const openDoors = () =>
  openConsoleDoors({
    db,
    key: new Uint8Array(32),
    clock: systemClock,
    wire: { url: 'http://localhost:3000/-/backend/auth/v1', secretKey: 'sb_secret_of_the_test' },
    access: { enter },
    operators,
    consoleUrl: 'http://localhost:3000/-/console/',
    isOwnEnd: true,
  })
const ask = (method: string, path: string, bearer: string, body?: unknown, signal?: AbortSignal) => {
  const app = office({
    ...UNASKED_PARTS,
    db,
    endpoints: testEndpoints(db),
    ...ownVisitors(db),
    secretKey: 'sb_secret_of_the_test',
    addressOf: () => '192.0.2.1',
    ...OWN,
    operators: { access: { enter }, operators, doors: openDoors() },
    rotateKeys: async () => ({ kid: 'a-new-one' }),
  })
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  return app.request(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

it('shows a viewer no number in full', async () => {
  const call = async (bearer: string) => (await ask('GET', `/call?id=${id}`, bearer)).json()
  expect(await call('viewer.x.y')).toMatchObject({
    id,
    phone: '+1202•••0101',
    transcript: 'User: My number is 202•••0101.',
  })
  for (const bearer of ['editor.x.y', 'owner.x.y', 'sb_secret_of_the_test'])
    expect(await call(bearer)).toMatchObject({ phone: '+12025550101' })
  const answer = await ask('GET', `/call?id=${id}`, 'viewer.x.y')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await (await ask('GET', '/calls', 'viewer.x.y')).text()).not.toContain('555')
})

it('records a change that was made, with who made it and from where, and no other', async () => {
  const before = (await readAudit(db, 100)).length
  expect((await ask('POST', '/calls/pause', 'viewer.x.y')).status).toBe(403)
  expect((await ask('DELETE', '/visitor?slug=nobody-here', 'editor.x.y')).status).toBe(404)
  expect((await ask('GET', '/visitors', 'editor.x.y')).status).toBe(200)
  expect(await readAudit(db, 100)).toHaveLength(before)
  expect((await ask('POST', '/calls/pause', 'editor.x.y')).status).toBe(200)
  expect((await ask('DELETE', '/visitor?slug=default', 'sb_secret_of_the_test')).status).toBe(200)
  const who = { id: expect.any(String), address: '192.0.2.1', at: expect.any(String) }
  expect(await readAudit(db, 2)).toEqual([
    { ...who, actor: 'secret key', action: 'visitor_removed', detail: { slug: 'default' } },
    { ...who, actor: 'editor@example.com', action: 'calls_paused', detail: {} },
  ])
})

/** What a browser or a spreadsheet would run, if anybody let it. */
const PROBES = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '=HYPERLINK("http://x")',
  '@SUM(A1)',
]

it('keeps texts of visitors as they are, as JSON and as CSV, and safe for spreadsheets on request', async () => {
  for (const [at, name] of PROBES.entries())
    expect(
      (
        await ask('POST', '/visitors', 'editor.x.y', {
          slug: `probe-${at}`,
          name,
          system: name,
          firstMessage: name,
        })
      ).status,
    ).toBe(201)
  const answer = await ask('GET', '/visitors/search?text=probe-&sort=slug', 'viewer.x.y')
  expect(answer.headers.get('content-type')).toBe('application/json')
  const { visitors } = await answer.json()
  expect(visitors.map(({ name }: { name: string }) => name)).toEqual(PROBES)
  expect(visitors[0]).toMatchObject({ hasPrompt: true, link: `${OWN.publicUrl}/probe-0` })
  expect(JSON.stringify(visitors)).not.toContain('system')
  const slugs = ['probe-2', 'probe-3']
  const csv = async (safe: boolean) =>
    (await ask('POST', '/visitors/export.csv', 'editor.x.y', { slugs, safe })).text()
  expect(await csv(false)).toContain('probe-3,@SUM(A1),@SUM(A1),@SUM(A1),false')
  expect(await csv(true)).toContain("probe-3,'@SUM(A1),'@SUM(A1),'@SUM(A1),false")
  const bad = await ask('POST', '/visitors', 'editor.x.y', { slug: '<b>', name: 'B' })
  expect([bad.status, (await bad.json()).field]).toEqual([400, 'slug'])
})

it('tells a viewer of no operator by address, and writes each export of the timeline into the audit', async () => {
  await ask('POST', '/calls/pause', 'editor.x.y')
  await ask('POST', '/calls/resume', 'editor.x.y')
  const [{ id: event }] = (await (await ask('GET', '/timeline/events', 'editor.x.y')).json()).events
  const paths = [
    '/timeline/events',
    `/timeline/event?id=${event}`,
    '/timeline/export',
    '/timeline/export.csv',
  ]
  for (const path of paths) {
    expect(await (await ask('GET', path, 'editor.x.y')).text()).toContain('editor@example.com')
    const shown = await (await ask('GET', path, 'viewer.x.y')).text()
    expect(shown).toContain('operator')
    expect(shown).not.toContain('@example.com')
  }
  const left = new AbortController()
  const stream = (await ask('GET', '/timeline/changes', 'viewer.x.y', undefined, left.signal)).body
  const reader = stream?.pipeThrough(new TextDecoderStream()).getReader()
  await reader?.read()
  await ask('POST', '/calls/pause', 'editor.x.y')
  let told = ''
  while (!told.includes('calls.paused')) told += (await reader?.read())?.value ?? ''
  expect(told).toContain('"actor":"operator"')
  expect(told).not.toContain('@example.com')
  await reader?.cancel()
  await ask('POST', '/calls/resume', 'editor.x.y')
  const lines = (await readAudit(db, 20)).filter(({ action }) => action === 'timeline_exported')
  expect(lines.map(({ actor }) => actor)).toEqual([
    'viewer@example.com',
    'editor@example.com',
    'viewer@example.com',
    'editor@example.com',
  ])
})

it('lets the operator who changed visitors take it back, and records that', async () => {
  const { undoId } = await (await ask('DELETE', '/visitor?slug=probe-0', 'editor.x.y')).json()
  const back = await ask('POST', '/undo', 'editor.x.y', { id: undoId })
  expect([back.status, await back.json()]).toEqual([
    200,
    { what: 'visitor_removed', restored: 1, removed: 0, left: 0 },
  ])
  expect(await readAudit(db, 1)).toMatchObject([{ action: 'undone', detail: { what: 'visitor_removed' } }])
  const again = await ask('POST', '/undo', 'editor.x.y', { id: undoId })
  expect([again.status, (await again.json()).code]).toEqual([404, 'undo_gone'])
  expect((await ask('POST', '/undo', 'sb_secret_of_the_test', { id: undoId })).status).toBe(403)
  const many = await ask('POST', '/visitors/remove', 'editor.x.y', { slugs: ['probe-0', 'probe-1'] })
  expect(await many.json()).toEqual({ removed: 2, undoId: expect.any(String) })
})

it("lists and revokes with an API key that key alone, and with a session all of one's own", async () => {
  await db.query(
    `insert into back_office.operators (user_id, email, role, invited_by, joined_at)
     values ($1, 'owner@example.com', 'owner', 'the test', now())`,
    [id],
  )
  const { apiKeys } = openDoors()
  const add = (role: Role) => apiKeys.add({ userId: id, role: 'owner' }, { name: role, role, days: 1 })
  const [others, own] = [await add('owner'), await add('viewer')]
  const listed = async (bearer: string) =>
    (await (await ask('GET', '/api-keys', bearer)).json()).map(({ name }: { name: string }) => name).sort()
  expect(await listed(own.key)).toEqual(['viewer'])
  expect(await listed('owner.x.y')).toEqual(['owner', 'viewer'])
  const refused = await ask('POST', '/api-keys/revoke', own.key, { id: others.id })
  expect([refused.status, await refused.json()]).toEqual([
    403,
    { code: 'forbidden', message: expect.stringMatching(/^An API key may revoke itself only: sign in/) },
  ])
  expect(await listed('owner.x.y')).toEqual(['owner', 'viewer'])
  expect((await ask('POST', '/api-keys/revoke', own.key, { id: own.id })).status).toBe(200)
  expect((await ask('GET', '/api-keys', own.key)).status).toBe(401)
  expect((await ask('POST', '/api-keys/revoke', 'owner.x.y', { id: others.id })).status).toBe(200)
  await db.exec('delete from back_office.audit')
  for (let time = 0; time < 23; time++)
    await ask('POST', '/api-keys/revoke', 'owner.x.y', { id: (await add('viewer')).id })
  const lines = await readAudit(db, 100)
  expect(lines.map(({ detail }) => detail.times)).toEqual([4, ...Array(19).fill(undefined)])
})

it('duplicates a visitor at a slug that nobody guesses, and offers such slugs', async () => {
  await db.query(
    `insert into back_office.operators (user_id, email, role, invited_by) values ($1, $2, 'editor', 'the test')
     on conflict (user_id) do update set email = excluded.email`,
    [id, 'editor@example.com'],
  )
  const twin = await ask('POST', '/visitor/duplicate?slug=PROBE-2', 'editor.x.y')
  const added = await twin.json()
  expect([twin.status, added]).toEqual([
    201,
    { slug: expect.stringMatching(/^probe-2-[a-z2-9]{6}$/), name: PROBES[2], link: expect.any(String) },
  ])
  const { rows } = await db.query('select type, actor from timeline.events where slug = $1', [added.slug])
  expect(rows).toEqual([{ type: 'visitor.created', actor: 'editor@example.com' }])
  const offered = await ask('POST', '/visitors/private-slug', 'editor.x.y', { text: 'Ärzte & Söhne' })
  expect((await offered.json()).slug).toMatch(/^arzte-sohne-[a-z2-9]{6}$/)
})

it.each([
  ['/do-not-call/preview', '+14155552671\n'.repeat(50_000)],
  ['/visitors/import/preview', `slug,name\n${'a,b\n'.repeat(49_000)}`],
])('reads no file any more for a client who has left: %s', async (path, csv) => {
  const client = new AbortController()
  const asked = ask('POST', path, 'editor.x.y', { csv }, client.signal)
  setImmediate(() => client.abort())
  expect((await asked).status).toBe(499)
})

it('records a new signing key and a backup, which only the secret key may ask for', async () => {
  expect((await ask('POST', '/keys/rotate', 'sb_secret_of_the_test')).status).toBe(200)
  await (await ask('GET', '/backup', 'sb_secret_of_the_test')).body?.cancel()
  expect(await readAudit(db, 2)).toMatchObject([
    { actor: 'secret key', action: 'backup_taken', address: '192.0.2.1' },
    { actor: 'secret key', action: 'keys_rotated', detail: { kid: 'a-new-one' } },
  ])
})

it('shows keys to an owner with a fresh second factor, and records that', async () => {
  expect((await (await ask('POST', '/keys', 'owner.x.y')).json()).code).toBe('step_up_needed')
  expect(await (await ask('POST', '/keys', 'sb_secret_of_the_test')).json()).toEqual([
    { name: 'secret', meaning: 'backend, secret', key: 'sb_secret_of_the_test' },
  ])
  const [line] = await readAudit(db, 1)
  expect(line).toMatchObject({ action: 'keys_shown', detail: {} })
})

it('serves no backup to an owner', async () => {
  const answer = await ask('GET', '/backup', 'owner.x.y')
  expect([answer.status, (await answer.json()).message]).toEqual([
    403,
    'No operator may do this: it needs the secret key',
  ])
})

it('asks for a fresh second factor before operators are changed', async () => {
  const answer = await ask('POST', '/operators/remove', 'owner.x.y')
  expect([answer.status, (await answer.json()).code]).toEqual([403, 'step_up_needed'])
})

/** An operator of the role below the one that is needed; an editor where only the secret key may. */
const BELOW: Partial<Record<OperationRole, Role>> = {
  owner: 'editor',
  editor: 'viewer',
  'secret-key': 'owner',
}

it.each(
  eachOperation().flatMap(({ name, operation }) => {
    const below = BELOW[operation.role]
    return below ? [{ name, below, operation }] : []
  }),
)('refuses $name to who has the role $below', async ({ below, operation: { method, path } }) => {
  const answer = await ask(method, path, `${below}.x.y`)
  expect([answer.status, (await answer.json()).code]).toEqual([403, 'forbidden'])
})

it.each(
  eachOperation().flatMap(({ name, operation }) =>
    operation.role === 'anyone' ? [] : [{ name, operation }],
  ),
)('refuses $name to strangers', async ({ operation: { method, path } }) => {
  for (const bearer of ['', 'sb_secret_of_another', 'a.b.c'])
    expect((await ask(method, path, bearer)).status).toBe(401)
})

it('describes all of it as OpenAPI 3.1, to anybody', async () => {
  const document = await (await ask('GET', '/openapi.json', '')).json()
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/-/office' }] })
  for (const { name, operation } of eachOperation()) {
    const described = document.paths[operation.path][operation.method.toLowerCase()]
    expect(described).toMatchObject({ operationId: name, summary: operation.summary })
  }
  expect(document.paths['/visitors'].post.requestBody.content['application/json'].schema).toMatchObject({
    required: ['slug', 'name'],
    properties: { slug: { pattern: expect.any(String) }, name: { maxLength: 200 } },
  })
})
