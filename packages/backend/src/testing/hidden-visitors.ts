import type { Queryable } from '@heyline/database'
import type { WireAnswer, WireRequest } from './wire.js'

/** A visitor that only a request with its slug may find. */
export interface HiddenVisitor {
  slug: string
  name: string
  system: string
  first_message: string
}

/** What nobody asks for begins with `hush`, so that an answer that holds it tells a secret. Requests name the slugs only. */
export const HIDDEN_VISITORS: readonly HiddenVisitor[] = ['1', '2', '3', '4', '5'].map((number) => ({
  slug: `hidden-lead-${number}`,
  name: `hush-name-${number}`,
  system: `hush-system-${number}: you answer for business ${number}.`,
  first_message: `hush-opening-${number}`,
}))

/** Secrets out of reach of the public key in other ways: other tables and schemas, columns without a grant, functions. */
const OTHER_SECRETS = `
  create table public.ledger (id int primary key, name text, note text, data jsonb, made timestamptz, price numeric, tags text[]);
  revoke all on public.ledger from public, anon, authenticated;
  grant all on public.ledger to service_role;
  create table private.ledger (note text);
  insert into private.ledger values ('hush-private-0');
  insert into call_desk.call_requests (phone, slug, body_hash, last_error) values ('+14155550100', 'default', 'x', 'hush-desk-0');
  create function public.sum_of(a int, b int default 1) returns int language sql immutable set search_path = '' as 'select a + b';
  revoke all on function public.sum_of(int, int) from public;
  grant execute on function public.sum_of(int, int) to anon, service_role;
  create function public.whisper() returns text language sql security definer set search_path = '' as $$ select 'hush-function-0' $$;
  revoke all on function public.whisper() from public;
  grant execute on function public.whisper() to service_role;
`

/** The rows of the tables as a round begins, as JSON for the wire. */
export const LEDGER_ROWS: readonly Record<string, unknown>[] = Array.from({ length: 20 }, (_, n) => ({
  id: n + 1,
  name: 'hush-ledger-0',
  note: `note ${n + 1}`,
  data: { a: n + 1, b: { c: [n + 1, n + 2] } },
  made: '2026-01-02T03:04:05Z',
  price: (n + 1) * 1.5,
  tags: ['x', 'y'],
}))

/** The visitors of a round: one that is listed, and the hidden ones. */
export const VISITOR_ROWS: readonly Record<string, unknown>[] = [
  { slug: 'default', name: 'there', system: null, first_message: 'Hi', listed: true },
  ...HIDDEN_VISITORS.map((visitor) => ({ ...visitor, listed: false })),
]

/** Makes what a database needs once, beside the migrations, and puts the rows in. */
export async function makeSecrets(db: Queryable): Promise<void> {
  await db.exec(OTHER_SECRETS)
  await plant(db)
}

/** Puts the rows back as they were. */
export async function plant(db: Queryable): Promise<void> {
  await db.exec('delete from public.visitors; delete from public.ledger')
  await db.query(
    `insert into public.visitors (slug, name, system, first_message, listed)
     select slug, name, system, first_message, listed from json_populate_recordset(null::public.visitors, $1)`,
    [VISITOR_ROWS],
  )
  await db.query('insert into public.ledger select * from json_populate_recordset(null::public.ledger, $1)', [
    LEDGER_ROWS,
  ])
}

/**
 * What an answer tells that its request had no right to: anything that begins with `hush` and is not of the visitor whose slug
 * the header named, or (where there was no error that repeats the question) another's slug. Undefined when there is nothing.
 */
export function secretIn(answer: WireAnswer, asked: WireRequest): string | undefined {
  const headers = asked.headers.filter(([name]) => name.toLowerCase() === 'x-visitor-slug')
  const named = headers.length === 1 ? headers[0]?.[1].trim().toLowerCase() : undefined
  const [, own] = /^hidden-lead-(\d)$/.exec(named ?? '') ?? []
  const everything = `${answer.headers}\n${answer.text}`
  for (const [word, number] of everything.matchAll(/hush-[a-z]+-(\d)/g)) if (number !== own) return word
  if (answer.status >= 300) return undefined
  // The names of an answer's columns are the request's own words.
  const values = everything.replace(/"(?:[^"\\]|\\.)*"\s*:/g, '')
  for (const [word, number] of values.matchAll(/hidden-lead-(\d)/gi)) if (number !== own) return word
  return undefined
}
