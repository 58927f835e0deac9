import type { Queryable } from '@heyline/database'
import { AuthError } from '../wire/auth-error.js'
import type { SignedIn } from './session.js'

/**
 * Holds the account and the session until the transaction ends, so that what changes the account happens one after the other, in every
 * process. Rejects with 403 where the session has ended meanwhile. Gives who is signed in as of now.
 */
export async function hold(tx: Queryable, signedIn: SignedIn): Promise<SignedIn> {
  const { user, session } = signedIn
  await tx.query('select from auth.users where id = $1 for no key update', [user.id], { prepared: true })
  const { rows } = await tx.query<{ aal: SignedIn['session']['aal'] }>(
    'select aal from auth.sessions where id = $1 and user_id = $2 for update',
    [session.id, user.id],
    { prepared: true },
  )
  const [now] = rows
  if (!now) throw new AuthError(403, 'session_not_found', 'The session has ended')
  return { ...signedIn, session: { ...session, aal: now.aal } }
}
