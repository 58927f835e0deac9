import type { Queryable } from '@heyline/database'
import { actAs } from '@heyline/timeline'

/** Where nobody says which operator it was: the command, the secret key. */
const AN_OPERATOR = 'operator'

/** How the timeline names who asks. */
export const eventActor = ({ operator }: { operator: { email: string } | undefined }): string =>
  operator?.email ?? AN_OPERATOR

/** How the timeline names an operator. */
export async function actorOf(db: Queryable, userId: string | undefined): Promise<string> {
  if (userId === undefined) return AN_OPERATOR
  const { rows } = await db.query<{ email: string }>(
    'select email from back_office.operators where user_id::text = $1',
    [userId],
  )
  return rows[0]?.email ?? AN_OPERATOR
}

/** The events that the rest of the transaction makes are this operator's. */
export const actAsOperator = async (tx: Queryable, userId: string | undefined): Promise<void> =>
  actAs(tx, await actorOf(tx, userId))
