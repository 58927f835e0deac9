import { DATE_IS_SURE, type Queryable } from '@heyline/database'

/** Who does something. */
export interface Actor {
  /** An operator's e-mail address, or what else was at work: `secret key`, `command`, `setup link`. */
  name: string
  /** Where the request came from; undefined where that is not known, or nobody asked over the network. */
  address?: string | undefined
}

/** A line as it is read. `at` is ISO 8601. */
export interface AuditLine {
  id: string
  at: string
  actor: string
  address: string | null
  action: string
  detail: Record<string, unknown>
}

/** How long a line is kept, in days. */
const KEPT_DAYS = 365
/** Each new line takes so many old ones with it, so the table never grows beyond its days. */
const SWEPT = 10

/** What stands behind an operator's address where a key of theirs was at work. */
const BY_KEY = ' (key '

/** An operator as the audit names them, who has sent a key of this name. */
export const actorName = (email: string, keyName: string | undefined): string =>
  keyName === undefined ? email : `${email}${BY_KEY}${keyName})`

/** Whose key it was; any other name as it is. */
const operatorOf = (name: string): string => name.split(BY_KEY, 1)[0] ?? name

/** Lines of one operator, with all keys, and one action that an hour has, from one address and from all: what is repeated beyond them is counted. */
const REPEATED = { ofAddress: 20, ofAll: 200 }

/** The channel of NOTIFY that tells each new line, by its action. */
export const AUDIT_CHANNEL = 'back_office_audit'

/** Writes a line, in the transaction of the change itself. `detail` holds no telephone number, no prompt, no code and no password. */
export async function writeAudit(
  tx: Queryable,
  actor: Actor,
  action: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await storeLine(tx, actor, action, detail)
}

/** Writes a line as `writeAudit` does, and resolves with its id. */
export async function storeLine(
  tx: Queryable,
  { name, address }: Actor,
  action: string,
  detail: Record<string, unknown>,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    `with line as (insert into back_office.audit (actor, address, action, detail) values ($1, $2, $3, $4) returning id, action)
     select id::text, pg_notify('${AUDIT_CHANNEL}', action) from line`,
    [name, address ?? null, action, detail],
  )
  await tx.query(
    `delete from back_office.audit where id in (
       select id from back_office.audit where at < now() - ${KEPT_DAYS} * interval '1 day' and ${DATE_IS_SURE}
       order by at limit ${SWEPT} for update skip locked)`,
  )
  return rows[0]?.id
}

/** What the line of something has in its detail that changed nothing. */
export const NOTHING_CHANGED = { isChanged: false }

/**
 * Writes a line of what can be repeated without end because it leaves nothing behind, such as an export, a key that is made and revoked, or
 * what changed nothing (`NOTHING_CHANGED`). Beyond some of the last hour it is counted in the newest of these instead: `times`, and `until` in
 * ISO 8601. Lines of what changed something and of what changed nothing are never counted in one another.
 */
export async function writeRepeated(
  db: Queryable,
  actor: Actor,
  action: string,
  detail: Record<string, unknown>,
): Promise<void> {
  const { rows } = await db.query(
    `with recent as (
       select id, at, address is not distinct from $2 as is_same from back_office.audit
       where (actor = $1 or starts_with(actor, $1 || '${BY_KEY}')) and action = $3 and at > now() - interval '1 hour'
         and (detail -> 'isChanged') is not distinct from ($4::jsonb -> 'isChanged')
       order by at desc, id desc limit ${REPEATED.ofAll}),
     of_recent as (select count(*) as of_all, count(*) filter (where is_same) as of_address from recent),
     last as (
       select id from recent, of_recent
       where of_all >= ${REPEATED.ofAll} or (is_same and of_address >= ${REPEATED.ofAddress})
       order by is_same desc, at desc, id desc limit 1),
     counted as (
       update back_office.audit line
       set detail = line.detail || jsonb_build_object(
         'times', coalesce((line.detail ->> 'times')::int, 1) + 1, 'until', now())
       from last where line.id = last.id returning line.action)
     select pg_notify('${AUDIT_CHANNEL}', action) from counted`,
    [operatorOf(actor.name), actor.address ?? null, action, detail],
  )
  if (rows.length === 0) await writeAudit(db, actor, action, detail)
}

/** What is looked for. Left out: everything. */
export interface AuditSought {
  /** Most lines. */
  limit: number
  /** The id of the last line seen: only older ones follow. */
  before?: string | undefined
  /** An operator's address finds what was done with each of their keys as well; any name is exact, but for case. */
  actor?: string | undefined
  action?: string | undefined
  /** Stands somewhere in a line, in any case. */
  text?: string | undefined
}

/** A part of the audit, the newest first; `next` is what `before` takes, null where nothing older is left. */
export interface AuditPage {
  lines: AuditLine[]
  next: string | null
}

/** Lines of one moment keep their order, so no page loses any of them. */
export async function searchAudit(
  db: Queryable,
  { limit, before, actor, action, text }: AuditSought,
): Promise<AuditPage> {
  const { rows } = await db.query<Omit<AuditLine, 'at'> & { at: Date }>(
    `select id::text, at, actor, address, action, detail from back_office.audit
     where ($2::bigint is null or (at, id) < (select b.at, b.id from back_office.audit b where b.id = $2::bigint))
       and ($3::text is null or lower(actor) = lower($3) or starts_with(lower(actor), lower($3 || '${BY_KEY}')))
       and ($4::text is null or action = $4)
       and ($5::text is null
         or position(lower($5) in lower(concat_ws(' ', actor, address, action, detail::text))) > 0)
     order by at desc, id desc limit $1 + 1`,
    [limit, before ?? null, actor || null, action || null, text || null],
  )
  const lines = rows.slice(0, limit).map((row) => ({ ...row, at: row.at.toISOString() }))
  return { lines, next: rows.length > limit ? (lines.at(-1)?.id ?? null) : null }
}

/** The newest lines first, up to `limit` of them. */
export const readAudit = async (db: Queryable, limit: number): Promise<AuditLine[]> =>
  (await searchAudit(db, { limit })).lines

/** In SQL: whether a line names a visitor by one of the slugs, which are $1; case does not count. */
const NAMES =
  "lower(detail ->> 'slug') in (select lower(given.slug) from jsonb_array_elements_text($1::jsonb) given (slug))"

/** The lines that name a visitor by one of the slugs, as they are stored. */
export async function auditOfVisitor(db: Queryable, slugs: readonly string[]): Promise<unknown[]> {
  const { rows } = await db.query<{ row: unknown }>(
    `select to_jsonb(a) as row from back_office.audit a where ${NAMES} order by a.id`,
    [slugs],
  )
  return rows.map(({ row }) => row)
}

/** Takes the slug out of these lines. What was done, by whom and when, stays. */
export async function eraseVisitorFromAudit(tx: Queryable, slugs: readonly string[]): Promise<void> {
  await tx.query(`update back_office.audit set detail = detail - 'slug' where ${NAMES}`, [slugs])
}
