import type { Queryable } from '@heyline/database'

/** Who does something. */
export interface Actor {
  /** An operator's e-mail address, or what else was at work: `secret key`, `command`, `setup link`. */
  name: string
  /** Where the request came from; undefined where that is not known, or nobody asked over the network. */
  address?: string | undefined
}

/** A line as it is read. `at` is ISO 8601. */
export interface AuditLine {
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

/** Writes a line, in the transaction of the change itself. `detail` holds no telephone number, no prompt, no code and no password. */
export async function writeAudit(
  tx: Queryable,
  { name, address }: Actor,
  action: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await tx.query('insert into back_office.audit (actor, address, action, detail) values ($1, $2, $3, $4)', [
    name,
    address ?? null,
    action,
    detail,
  ])
  await tx.query(
    `delete from back_office.audit where id in (
       select id from back_office.audit where at < now() - ${KEPT_DAYS} * interval '1 day'
       order by at limit ${SWEPT} for update skip locked)`,
  )
}

/** The newest lines first, up to `limit` of them; `before` is the `at` of the last one seen. */
export async function readAudit(db: Queryable, limit: number, before?: string): Promise<AuditLine[]> {
  const { rows } = await db.query<Omit<AuditLine, 'at'> & { at: Date }>(
    `select at, actor, address, action, detail from back_office.audit
     where at < coalesce($2::timestamptz, 'infinity') order by at desc, id desc limit $1`,
    [limit, before ?? null],
  )
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** The lines that name a visitor by the slug, whose case does not count, as they are stored. */
export async function auditOfVisitor(db: Queryable, slug: string): Promise<unknown[]> {
  const { rows } = await db.query<{ row: unknown }>(
    "select to_jsonb(a) as row from back_office.audit a where lower(a.detail ->> 'slug') = lower($1) order by a.id",
    [slug],
  )
  return rows.map(({ row }) => row)
}

/** Takes the slug out of these lines. What was done, by whom and when, stays. */
export async function eraseVisitorFromAudit(tx: Queryable, slug: string): Promise<void> {
  await tx.query(
    "update back_office.audit set detail = detail - 'slug' where lower(detail ->> 'slug') = lower($1)",
    [slug],
  )
}
