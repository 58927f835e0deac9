import type { Db } from '@heyline/database'
import { z } from 'zod'
import { type Accounts, notFound } from '../accounts/accounts.js'
import { forgetLinks } from '../accounts/forget-links.js'
import { demandStrong, type Passwords } from '../accounts/passwords.js'
import { type UserRow, userJson } from '../accounts/user.js'
import { auditRepeated } from '../audit/audit.js'
import type { Attempt, Attempts } from '../guards/attempts.js'
import { AuthError } from '../wire/auth-error.js'
import { changedMetadata, emailShape, givenPasswordShape, metadataShape, readFields } from '../wire/fields.js'
import type { AuthRequest, AuthRoutes } from '../wire/request.js'
import { hold } from './held-session.js'
import { demandSecond, type SignedIn } from './session.js'
import type { SessionTurns } from './session-turns.js'
import type { Sessions } from './sessions.js'

export interface UserParts {
  db: Db
  accounts: Accounts
  passwords: Passwords
  sessions: Sessions
  sessionTurns: SessionTurns
  attempts: Attempts
}

/** What somebody may change. */
interface Change extends SignedIn {
  data: Record<string, unknown> | undefined
  /** A new password, and the attempt that it counts as. */
  chosen: { password: string; attempt: Attempt } | undefined
}

const changesShape = z.object({
  email: emailShape.optional(),
  password: givenPasswordShape.optional(),
  data: metadataShape.optional(),
})

/** What somebody who has the password alone may not change. */
function demandSecondFor(signedIn: SignedIn, { password, data }: { password: unknown; data: unknown }): void {
  if (password !== undefined)
    demandSecond(signedIn, 401, 'AAL2 session is required to update email or password when MFA is enabled.')
  if (data !== undefined) demandSecond(signedIn, 403, 'AAL2 session is required to change metadata.')
}

/** `/user`: one's own account. */
export function userRoutes({
  db,
  accounts,
  passwords,
  sessions,
  sessionTurns,
  attempts,
}: UserParts): AuthRoutes {
  async function newHash({ user, chosen }: Change): Promise<string | undefined> {
    if (!chosen) return undefined
    const { password, attempt } = chosen
    const hash = await passwords
      .changed(user.id, password, user.encrypted_password)
      .catch(async (error: unknown) => {
        await attempts.takeBack(attempt)
        throw error
      })
    if (hash === undefined)
      throw new AuthError(422, 'same_password', 'New password should be different from the old password.')
    return hash
  }

  async function choose({ session }: SignedIn, password: string) {
    demandStrong(password)
    return { password, attempt: await attempts.beginChange(session.id) }
  }

  /** Who it is, and what he may change. */
  async function begin({ request, body }: AuthRequest): Promise<Change> {
    const signedIn = await sessions.authenticate(request)
    const { user } = signedIn
    if (body.phone !== undefined && body.phone !== '')
      throw new AuthError(
        422,
        'phone_provider_disabled',
        'An account has no phone here: enroll one as a factor',
      )
    const { email, password, data } = readFields(changesShape, body)
    // Whoever is invited at an address must not be somebody who gave it to himself: no mail proves it.
    if (email !== undefined && email !== user.email)
      throw new AuthError(
        422,
        'feature_disabled',
        'Nobody changes an email address himself here, since no mail proves the new one: it needs the secret key',
      )
    demandSecondFor(signedIn, { password, data })
    const chosen = password === undefined ? undefined : await choose(signedIn, password)
    return { ...signedIn, data, chosen }
  }

  /** The session may have been thrown out, or the account have got a second factor, while the password was hashed. */
  const store = (
    { data, chosen, ...signedIn }: Change,
    { passwordHash, address }: { passwordHash: string | undefined; address: string },
  ): Promise<UserRow> =>
    db.transaction(async (tx) => {
      const { session } = await hold(tx, signedIn)
      const user = await accounts.byId(tx, signedIn.user.id)
      if (!user) throw notFound()
      demandSecondFor({ ...signedIn, user, session }, { password: chosen?.password, data })
      const changed = await accounts.change(tx, user.id, {
        passwordHash,
        userMetadata: data && changedMetadata(user.raw_user_meta_data, data),
      })
      if (passwordHash !== undefined) {
        // Whoever knew the old one is out.
        await forgetLinks(tx, user.id)
        await sessions.end(tx, user.id, 'others', session.id)
        await auditRepeated(tx, { action: 'user_updated_password', actor: user, address })
      }
      if (data !== undefined) await auditRepeated(tx, { action: 'user_modified', actor: user, address })
      return changed
    })

  /** Others have their turns while a password is hashed. */
  async function change(asked: AuthRequest): Promise<UserRow> {
    const begun = await sessionTurns.run(asked, () => begin(asked))
    const passwordHash = await newHash(begun)
    return await sessionTurns.run(asked, () => store(begun, { passwordHash, address: asked.address }))
  }

  return {
    'GET /user': async (asked) => {
      const { user } = await sessionTurns.read(asked, () => sessions.authenticate(asked.request))
      return { body: userJson(user) }
    },
    'PUT /user': async (asked) => ({ body: userJson(await change(asked)) }),
  }
}
