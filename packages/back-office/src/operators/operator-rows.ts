import type { Db, Queryable } from '@heyline/database'
import { storable } from '@heyline/kit/storable'
import { OperatorsError } from './operators-error.js'
import type { Role } from './role.js'

/** A row of `back_office.operators`. */
export interface OperatorRow {
  userId: string
  email: string
  role: Role
  invitedBy: string
  invitedAt: Date
  /** Null for who never came in. */
  joinedAt: Date | null
  lastSeenAt: Date | null
}

const COLUMNS = `user_id as "userId", email, role, invited_by as "invitedBy", invited_at as "invitedAt",
  joined_at as "joinedAt", last_seen_at as "lastSeenAt"`
const TABLE = 'back_office.operators'

/** One change at a time, in all processes: so two owners can't remove each other, and two links make one owner. */
export const changingOperators = <Value>(db: Db, change: (tx: Queryable) => Promise<Value>): Promise<Value> =>
  db.transaction(async (tx) => {
    await tx.query(`lock table ${TABLE} in share row exclusive mode`)
    return change(tx)
  })

/** By e-mail address. */
export async function listRows(db: Queryable): Promise<OperatorRow[]> {
  return (await db.query<OperatorRow>(`select ${COLUMNS} from ${TABLE} order by lower(email)`)).rows
}

export async function rowOfAccount(db: Queryable, userId: string): Promise<OperatorRow | undefined> {
  const { rows } = await db.query<OperatorRow>(`select ${COLUMNS} from ${TABLE} where user_id = $1`, [userId])
  return rows[0]
}

/** The operator of this address, whatever an account may have as one. Rejects with an `OperatorsError` where there is none. */
export async function rowOf(db: Queryable, asked: string): Promise<OperatorRow> {
  const email = storable(asked.trim())
  const { rows } = await db.query<OperatorRow>(
    `select ${COLUMNS} from ${TABLE} where lower(email) = lower($1)`,
    [email],
  )
  if (rows[0]) return rows[0]
  throw new OperatorsError(
    'operator_not_found',
    `There is no operator ${email.slice(0, 320)}: see heyline operators list`,
  )
}

export async function hasOwner(db: Queryable): Promise<boolean> {
  return (await db.query(`select from ${TABLE} where role = 'owner' limit 1`)).rowCount > 0
}

/**
 * Rejects with an `OperatorsError` where nobody could do everything without this owner. One who has come in is not
 * made up for by one who was only invited.
 */
export async function refuseLastOwner(
  tx: Queryable,
  { userId, role, joinedAt, email }: OperatorRow,
): Promise<void> {
  if (role !== 'owner') return
  const { rowCount } = await tx.query(
    `select from ${TABLE} where role = 'owner' and user_id <> $1 and (joined_at is not null or $2) limit 1`,
    [userId, joinedAt === null],
  )
  if (rowCount === 0)
    throw new OperatorsError(
      'last_owner',
      `${email} is the last owner who has come in: make another operator an owner first`,
    )
}

/** Adds an operator, or gives one that has not come in yet another role. What the account or the address had before goes. */
export async function putRow(
  tx: Queryable,
  row: Pick<OperatorRow, 'userId' | 'email' | 'role' | 'invitedBy'> & { joined?: boolean },
): Promise<void> {
  await tx.query(`delete from ${TABLE} where user_id = $1 or lower(email) = lower($2)`, [
    row.userId,
    row.email,
  ])
  await tx.query(
    `insert into ${TABLE} (user_id, email, role, invited_by, joined_at)
     values ($1, $2, $3, $4, case when $5 then now() end)`,
    [row.userId, row.email, row.role, row.invitedBy, row.joined ?? false],
  )
}

export async function setRole(tx: Queryable, userId: string, role: Role): Promise<void> {
  await tx.query(`update ${TABLE} set role = $2 where user_id = $1`, [userId, role])
}

export async function deleteRow(tx: Queryable, userId: string): Promise<void> {
  await tx.query(`delete from ${TABLE} where user_id = $1`, [userId])
}

/** Ends the keys of an operator's own tools. */
export async function endApiKeys(tx: Queryable, userId: string): Promise<void> {
  await tx.query('delete from back_office.api_keys where user_id = $1', [userId])
}

/** Notes that an operator is there now. The address follows the account's, unless another operator has it. */
export async function markSeen(db: Queryable, userId: string, email: string | undefined): Promise<void> {
  await db.query(
    `update ${TABLE} o set last_seen_at = now(), joined_at = coalesce(o.joined_at, now()),
       email = case when exists (select from ${TABLE} x where lower(x.email) = lower($2) and x.user_id <> $1)
         then o.email else coalesce($2, o.email) end
     where o.user_id = $1`,
    [userId, email || null],
  )
}
