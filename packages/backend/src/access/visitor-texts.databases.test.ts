import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CANARY, KEYS, type RunningBackend, runBackend } from '../testing/running-backend.js'

/** What an operator of a hosted project runs to the same end (docs/wires.md). */
const COLUMN_GRANTS = `
  revoke select on public.visitors from anon, authenticated;
  grant select (id, slug, name, listed, created_at) on public.visitors to anon, authenticated;
`

/** Every way to ask for a text, and the page's own reads. */
const READS = [
  'select=*',
  '',
  'select=system',
  'select=first_message',
  'select=slug,name,system',
  'select=name:system',
  'select=system::text',
  'select=system->>0',
  'select=slug&system=eq.canary-prompt',
  'select=slug&system=like.canary*',
  'select=slug&first_message=is.null',
  'select=slug&or=(name.eq.x,system.ilike.c*)',
  'select=slug&not.and=(first_message.not.is.null,name.eq.x)',
  'select=slug&order=system',
  'select=slug&order=first_message->>0.desc',
  'select=slug,nothing,system',
  'select=visitors',
  'select=slug,name',
  'select=slug,name&slug=eq.Canary-7',
  'select=slug,name&slug=ilike.canary-7',
  'select=id,slug,name,listed,created_at&order=slug',
]

describe.each(DATABASES)('a backend that hides the assistant’s texts, on $name', ({ open }) => {
  let hiding: RunningBackend
  let granting: RunningBackend
  beforeAll(async () => {
    hiding = await runBackend({}, { open, hidesTexts: true })
    granting = await runBackend({}, { open })
    await granting.db.exec(COLUMN_GRANTS)
    for (const { db } of [hiding, granting]) {
      await db.exec(
        "update public.visitors set id = '00000000-0000-4000-8000-000000000001', created_at = '2026-01-01' where slug = 'default'; delete from public.visitors where slug <> 'default'",
      )
      await db.query(
        `insert into public.visitors (id, slug, name, system, first_message, created_at)
         values ('00000000-0000-4000-8000-000000000002', $1, $2, $3, $4, '2026-01-01')`,
        [CANARY.slug, CANARY.name, CANARY.system, CANARY.first_message],
      )
    }
  })
  afterAll(() => Promise.all([hiding.close(), granting.close()]))

  const ask = async ({ url }: RunningBackend, query: string, key: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}/rest/v1/visitors?${query}`, {
      ...init,
      headers: {
        apikey: key,
        'x-visitor-slug': CANARY.slug,
        'content-type': 'application/json',
        ...Object.fromEntries(new Headers(init.headers)),
      },
    })
    return [answer.status, answer.headers.get('www-authenticate'), await answer.text()]
  }

  it.each(READS)('answers ?%s as Postgres does where these columns have no grant', async (query) => {
    for (const init of [{}, { method: 'HEAD' }, { headers: { prefer: 'count=exact' } }]) {
      const answer = await ask(hiding, query, KEYS.publishable, init)
      expect(answer).toEqual(await ask(granting, query, KEYS.publishable, init))
      expect(JSON.stringify(answer)).not.toMatch(/canary-prompt|Psst/)
    }
  })

  it('refuses them with the words of PostgREST', async () => {
    const [status, authenticate, text] = await ask(hiding, 'select=*', KEYS.publishable)
    expect([status, authenticate, JSON.parse(String(text))]).toEqual([
      401,
      'Bearer',
      { code: '42501', details: null, hint: null, message: 'permission denied for table visitors' },
    ])
  })

  it('shows everything to the secret key', async () => {
    const [status, , text] = await ask(hiding, `select=*&slug=eq.${CANARY.slug}`, KEYS.secret)
    expect([status, JSON.parse(String(text))]).toEqual([200, [expect.objectContaining(CANARY)]])
  })

  it.each(['POST', 'PATCH', 'DELETE'])('lets nobody learn them by %s', async (method) => {
    const body = method === 'DELETE' ? undefined : JSON.stringify({ slug: 'x', name: 'x', system: 'x' })
    const init = { method, headers: { prefer: 'return=representation' }, ...(body && { body }) }
    const query = method === 'POST' ? 'select=*' : 'select=*&system=eq.canary-prompt'
    expect(await ask(hiding, query, KEYS.publishable, init)).toEqual(
      await ask(granting, query, KEYS.publishable, init),
    )
  })
})
