import { type Db, migrate } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ExposureKind, findExposures } from './exposure.js'

const folder = new URL('../../../../supabase', import.meta.url)

/** One of each kind, and what is said of it. */
const PLANTED: [kind: ExposureKind, sql: string, object: string][] = [
  [
    'table without Row Level Security',
    'create table public.prey (id int); revoke all on public.prey from public; grant select on public.prey to anon',
    'public.prey',
  ],
  [
    'table without Row Level Security',
    'create table public."Prey" (id int, note text); grant insert (note) on public."Prey" to authenticated',
    'public."Prey"',
  ],
  [
    'grant beyond reading visitors',
    'grant update (name) on public.visitors to anon',
    'public.visitors: select, update',
  ],
  [
    'grant beyond reading visitors',
    'grant truncate on public.visitors to authenticated',
    'public.visitors: select, truncate',
  ],
  [
    'grant beyond reading visitors',
    'grant usage on schema call_desk to anon; grant select (phone) on call_desk.call_requests to anon',
    'call_desk.call_requests: select',
  ],
  [
    "view with its owner's rights",
    'create view public.prey as select * from public.visitors; grant select on public.prey to anon',
    'public.prey',
  ],
  [
    "view with its owner's rights",
    'create materialized view public.prey as select * from public.visitors; grant select on public.prey to anon',
    'public.prey',
  ],
  [
    'function that can be called',
    "create function public.prey(a int) returns int language sql as 'select a'",
    'public.prey(a integer)',
  ],
  [
    'definer function without a search_path',
    "create function private.prey() returns int language sql security definer as 'select 1'",
    'private.prey()',
  ],
  [
    'policy that shows every row',
    'create policy prey on public.visitors for select to anon using (true)',
    'prey on public.visitors',
  ],
  [
    'policy that shows every row',
    'create policy prey on call_desk.call_requests for insert with check (true)',
    'prey on call_desk.call_requests',
  ],
  ['schema that can be added to', 'grant create on schema public to anon', 'public'],
  ['role with more rights than its own', 'alter role anon bypassrls', 'bypassrls'],
  ['role with more rights than its own', 'grant service_role to anon', 'member of service_role'],
]

describe.each(DATABASES)('what is exposed on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
    await migrate(db, { folder })
  })
  afterAll(() => db.close())

  it('is nothing', async () => {
    expect(await findExposures(db)).toEqual([])
  })

  it.each(PLANTED)('is noticed: %s (%s)', async (kind, sql, object) => {
    await expect(
      db.transaction(async (tx) => {
        await tx.exec(sql)
        const found = await findExposures(tx)
        expect(found).toContainEqual({ kind, object, role: expect.any(String) })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
  })

  it('is not a view with the rights of who asks, a table that only the service has, or a function that nobody calls', async () => {
    await expect(
      db.transaction(async (tx) => {
        await tx.exec(`
          create table public.prey (id int);
          create view public.own with (security_invoker = true) as select 1 as one;
          create function public.quiet() returns int language sql security definer set search_path = '' as 'select 1';
          revoke all on function public.quiet() from public;
        `)
        expect(await findExposures(tx)).toEqual([])
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
  })
})
