import { type Operator, OperatorsError, openConsoleDoors, type Role } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { systemClock } from '@heyline/kit/clock'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { OperatorsEnd } from '../ends/operators-end.js'
import { testEndpoints, UNASKED_PARTS } from '../testing/office-parts.js'
import { ownVisitors } from '../visitors/own-visitors.js'
import { office } from './office.js'

const ID = 'abcdef01-0000-4000-8000-000000000001'
let db: Db
let app: ReturnType<typeof office>
let isOut = async () => false
/** Whoever sends a token is an editor, until they are out. */
const access = {
  enter: async (): Promise<Operator> => {
    if (await isOut()) throw new OperatorsError('unauthorized', 'Nobody is signed in')
    return {
      userId: ID,
      email: 'ann@example.com',
      role: 'editor' satisfies Role,
      aal: 'aal1',
      enteredAt: Date.now(),
    }
  },
}
const operators: OperatorsEnd['operators'] = {
  as: () => {
    throw new OperatorsError('forbidden', 'not asked')
  },
  hasOwner: async () => true,
  setUp: async () => ({ email: '', isNew: true }),
}

beforeAll(async () => {
  db = await openTestDb()
  const [url, secretKey] = ['http://localhost:3000', 'sb_secret_of_the_test']
  const doors = openConsoleDoors({
    db,
    key: new Uint8Array(32),
    clock: systemClock,
    wire: { url: `${url}/-/backend/auth/v1`, secretKey },
    access,
    operators,
    consoleUrl: `${url}/-/console/`,
    isOwnEnd: true,
  })
  app = office({
    ...UNASKED_PARTS,
    ...ownVisitors(db),
    db,
    endpoints: testEndpoints(db),
    secretKey,
    addressOf: () => '192.0.2.1',
    publicUrl: url,
    origins: [url],
    operators: { access, operators, doors },
  })
})
afterAll(() => db.close())
beforeEach(() => {
  isOut = async () => false
  return db.exec(`delete from back_office.audit; delete from back_office.undo; delete from public.visitors;
    delete from call_desk.do_not_call; delete from timeline.endpoints; insert into public.visitors (slug, name) values ('acme', 'Acme')`)
})

const request = async (method: string, path: string, body: unknown) =>
  app.request(path, {
    method,
    headers: { authorization: 'Bearer a.b.c', 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
async function ask(method: string, path: string, body: unknown) {
  const answer = await request(method, path, body)
  expect([path, answer.status]).toEqual([path, 200])
  return await answer.json()
}
async function details(action: string) {
  const { rows } = await db.query<{ detail: Record<string, unknown> }>(
    'select detail from back_office.audit where action = $1 order by id',
    [action],
  )
  return rows.map(({ detail }) => detail)
}

it.each([
  ['do_not_call_imported', 'POST', '/do-not-call/import', { numbers: [] }],
  ['do_not_call_added', 'POST', '/do-not-call/add', { numbers: [] }],
  ['visitors_listed', 'POST', '/visitors/listed', { slugs: ['acme', 'nobody'], listed: false }],
  ['visitors_removed', 'POST', '/visitors/remove', { slugs: ['nobody'] }],
  ['visitors_imported', 'POST', '/visitors/import', '\n'],
  ['visitors_imported', 'POST', '/visitors/import?replace=name', '{"slug":"acme","name":"Acme"}'],
  ['visitor_changed', 'PATCH', '/visitor?slug=acme', { changes: { name: 'Acme' } }],
] as const)('has twenty lines of an hour of what changes nothing: %s by %s %s %j', async (...given) => {
  const [action, method, path, body] = given
  await db.exec("update public.visitors set listed = false where slug = 'acme'")
  for (let time = 0; time < 23; time++) expect((await ask(method, path, body)).undoId ?? null).toBeNull()
  const lines = await details(action)
  expect(lines).toHaveLength(20)
  expect(lines.at(-1)).toMatchObject({ isChanged: false, times: 4 })
  expect((await db.query('select from back_office.undo')).rows).toEqual([])
})

it('has a line of each change, also among others that changed nothing', async () => {
  await db.exec("insert into public.visitors (slug, name) select 'v' || i, 'V' from generate_series(1, 25) i")
  for (let place = 1; place <= 25; place++)
    for (const name of ['Five', 'Five']) await ask('PATCH', `/visitor?slug=v${place}`, { changes: { name } })
  const lines = await details('visitor_changed')
  expect(lines.filter(({ isChanged }) => isChanged !== false)).toEqual(
    Array.from({ length: 25 }, (_, place) => ({ slug: `v${place + 1}` })),
  )
  expect(lines.filter(({ isChanged }) => isChanged === false)).toHaveLength(20)
})

/** Whoever asks is out once so many rows are there. */
const outWith = (rows: number, table: string) => async () =>
  (await db.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count === rows
const numbers = Array.from({ length: 25_000 }, (_, at) => `+1415${5_000_000 + at}`)

it('has a line of an import that its operator breaks off by signing out', async () => {
  isOut = outWith(20_000, 'call_desk.do_not_call')
  const answer = await request('POST', '/do-not-call/import', { numbers })
  expect([answer.status, await answer.json()]).toEqual([
    401,
    expect.objectContaining({ code: 'unauthorized' }),
  ])
  const broken = { added: 20_000, isFinished: false }
  expect(await details('do_not_call_imported')).toEqual([broken])
  isOut = async () => false
  expect(await ask('POST', '/do-not-call/import', { numbers })).toEqual({ added: 5_000 })
  expect(await details('do_not_call_imported')).toEqual([broken, { added: 5_000 }])
})

it('has a line of visitors that are removed and put back because their operator is out', async () => {
  await db.exec(
    "insert into public.visitors (slug, name) select 'v' || i, 'V' from generate_series(1, 2499) i",
  )
  const slugs = ['acme', ...Array.from({ length: 2499 }, (_, at) => `v${at + 1}`)]
  isOut = outWith(500, 'public.visitors')
  expect((await request('POST', '/visitors/remove', { slugs })).status).toBe(401)
  const broken = { removed: 2000, takenBack: 2000, isFinished: false }
  expect(await details('visitors_removed')).toEqual([broken])
  isOut = async () => false
  expect(await ask('POST', '/visitors/remove', { slugs })).toMatchObject({ removed: 2500 })
  expect(await details('visitors_removed')).toEqual([broken, { removed: 2500 }])
})
