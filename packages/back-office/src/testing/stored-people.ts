import { createVisitors } from '@heyline/backend'
import type { Person } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { createPeople, type People } from '../people/people.js'

export const ADA = '+12025550123'
export const BEN = '+12025550124'
/** Looks like Ada's, and is longer. */
export const LONGER = '+120255501234'

/** One row each: they hold settings of the installation. */
const KEPT = ['call_desk.switches', 'voice_platform.settings', 'supabase_migrations.schema_migrations']
/** Ids and checksums: they may hold any short word of hexadecimal digits. */
const RANDOM = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}/g

/** What the tables of a database hold of people. */
export class StoredPeople {
  readonly people: People
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
    this.people = createPeople(db, createVisitors(db))
  }

  async clear(): Promise<void> {
    for (const table of await this.#tables())
      if (!KEPT.includes(table)) await this.#db.exec(`delete from ${table}`)
  }

  /** One call of a number from a visitor's page, in every table that a call can be in. Resolves with the platform's id. */
  async call(phone: string, slug: string, state = 'ended'): Promise<string> {
    const { rows } = await this.#db.query<{ id: string }>(
      `insert into voice_platform.calls (type, status, ended_reason, assistant, customer, messages, transcript, owner)
       values ('outboundPhoneCall', case when $2 = 'ended' then 'ended' else 'in-progress' end,
         case when $2 = 'ended' then 'customer-ended-call' end, '{}', jsonb_build_object('number', $1::text), '[]',
         'User: My name is ' || $3, gen_random_uuid()) returning id`,
      [phone, state, slug],
    )
    const platformId = rows[0]?.id ?? ''
    await this.#db.query(
      `insert into voice_platform.call_lines (call_id, position, speaker, message)
       select id, 0, 'User', jsonb_build_object('message', 'My name is ' || $2::text) from voice_platform.calls where id = $1 and status <> 'ended'`,
      [platformId, slug],
    )
    await this.#db.query(
      `with request as (
         insert into call_desk.call_requests (phone, slug, body_hash, state, platform_call_id, transcript, recorded_at)
         values ($1, $2, 'hash', $3, $4, 'User: My name is ' || $2, now()) returning id),
       money as (insert into call_desk.ledger (request_id, at, reserved) select id, now(), 5 from request)
       insert into call_desk.do_not_call (phone, source, request_id) select $1, 'caller', id from request
       on conflict do nothing`,
      [phone, slug, state, platformId],
    )
    await this.#db.query(
      `insert into voice_platform.simulated_legs (call_id, caller, callee) values ($1, '+12025550100', $2)`,
      [platformId, phone],
    )
    // A carrier's leg that was left over.
    await this.#db.query(
      `insert into voice_platform.carrier_legs (call_id, provider_id, holder, look_at, stream_key_hash, created_at)
       values ($1, 'CA1', gen_random_uuid(), now(), 'secret_hash', now() - interval '25 hours')`,
      [platformId],
    )
    await this.#db.query(`insert into call_desk.inbox (id, body) values ($1, $2), ($3, $4), ($5, null)`, [
      `by number ${platformId}`,
      JSON.stringify({ customer: { number: phone } }),
      `by id ${platformId}`,
      JSON.stringify({ callId: platformId }),
      `done ${platformId}`,
    ])
    return platformId
  }

  /** Everything that is stored, by table. The migrations tell of nobody. */
  async everything(): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const table of await this.#tables()) {
      const { rows } = await this.#db.query(`select to_jsonb(t) as row from ${table} t`)
      found.set(table, JSON.stringify(rows))
    }
    return found
  }

  /** The tables that have the text. */
  async whereIs(text: string): Promise<string[]> {
    return [...(await this.everything())]
      .filter(([, rows]) => rows.replace(RANDOM, '').includes(text))
      .map(([table]) => table)
  }

  /** What is exported of a person, by table. */
  async exported(person: Person): Promise<Map<string, unknown[]>> {
    const found = new Map<string, unknown[]>()
    for await (const parts of this.people.export(person))
      for (const { table, rows } of parts) found.set(table, [...(found.get(table) ?? []), ...rows])
    return found
  }

  async #tables(): Promise<string[]> {
    const { rows } = await this.#db.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_type = 'BASE TABLE'
         and table_schema not in ('pg_catalog', 'information_schema', 'supabase_migrations') order by 1`,
    )
    return rows.map(({ name }) => name)
  }
}
