import type { Db, Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { z } from 'zod'
import { type Accounts, emailExists, notFound } from '../accounts/accounts.js'
import { forgetLinks } from '../accounts/forget-links.js'
import { hasSecondFactor, isBanned, type UserRow, userJson } from '../accounts/user.js'
import { audit } from '../audit/audit.js'
import type { Attempts } from '../guards/attempts.js'
import type { KnownPlaces } from '../guards/known-places.js'
import type { Turns } from '../guards/turns.js'
import type { Sessions } from '../sessions/sessions.js'
import { AuthError } from '../wire/auth-error.js'
import { changedMetadata, emailShape, metadataShape, readFields } from '../wire/fields.js'
import type { ForService } from '../wire/for-service.js'
import type { AuthAnswer, AuthRequest, AuthRoutes } from '../wire/request.js'
import { linkOf, type SendLinkMail } from './link-mail.js'
import type { LinkType, OneTimeTokens } from './one-time-tokens.js'
import type { Recoveries } from './recoveries.js'

export interface LinkParts {
  db: Db
  accounts: Accounts
  sessions: Sessions
  attempts: Attempts
  /** Of strangers. */
  turns: Turns
  places: KnownPlaces
  oneTimeTokens: OneTimeTokens
  recoveries: Recoveries
  forService: ForService
  /** Left out: no mail is sent. */
  sendMail?: SendLinkMail | undefined
  siteUrl: string
  clock: Clock
}

const recoverShape = z.object({ email: emailShape })
const inviteShape = z.object({ email: emailShape, data: metadataShape.optional() })
const linkShape = z.object({
  type: z.enum(['invite', 'recovery'], 'Links are made for the types invite and recovery'),
  email: emailShape,
  data: metadataShape.optional(),
})
const verifyShape = z.object({
  type: z.enum(['invite', 'recovery', 'email'], 'Links are verified with the types invite and recovery'),
  token_hash: z.string('Codes of six digits are not sent here: give the token_hash of the link').max(200),
})

const TYPES: Record<z.infer<typeof verifyShape>['type'], readonly LinkType[]> = {
  invite: ['invite'],
  recovery: ['recovery'],
  email: ['invite', 'recovery'],
}

/** Links that lead into an account: invitations, and passwords that were forgotten. */
export function linkRoutes(parts: LinkParts): AuthRoutes {
  const {
    db,
    accounts,
    sessions,
    attempts,
    turns,
    places,
    oneTimeTokens,
    recoveries,
    forService,
    sendMail,
    siteUrl,
    clock,
  } = parts

  async function invited(
    tx: Queryable,
    email: string,
    data: Record<string, unknown> | undefined,
  ): Promise<UserRow> {
    const user = await accounts.byEmail(tx, email)
    if (!user)
      return await accounts.create(tx, {
        email,
        isConfirmed: false,
        isInvited: true,
        userMetadata: changedMetadata({}, data),
      })
    if (!user.email_confirmed_at) return user
    throw emailExists()
  }

  /** Makes a link for an account, which an invitation makes first. All links before it end. */
  async function newLink(
    type: LinkType,
    asked: { email: string; data?: Record<string, unknown> | undefined; address: string },
  ) {
    const { email, data, address } = asked
    return await db.transaction(async (tx) => {
      const user = type === 'invite' ? await invited(tx, email, data) : await accounts.byEmail(tx, email)
      if (!user) throw notFound()
      await accounts.taken(tx, user.id)
      await forgetLinks(tx, user.id)
      const code = await oneTimeTokens.issue(tx, user.id, type)
      const action = type === 'invite' ? 'user_invited' : 'user_recovery_requested'
      await audit(tx, { action, address, traits: { user_id: user.id, user_email: email } })
      return { user, code }
    })
  }

  async function verify({ body, address, place, userAgent }: AuthRequest): Promise<Record<string, unknown>> {
    const { type, token_hash } = readFields(verifyShape, body)
    return await db.transaction(async (tx) => {
      const owner = await oneTimeTokens.ownerOf(tx, token_hash)
      const user = owner && (await accounts.taken(tx, owner))
      if (!user || !(await oneTimeTokens.take(tx, token_hash, TYPES[type])))
        throw new AuthError(403, 'otp_expired', 'Email link is invalid or has expired')
      if (isBanned(user, clock.now())) throw new AuthError(403, 'user_banned', 'User is banned')
      if (!user.email_confirmed_at) await accounts.change(tx, user.id, { isConfirmed: true })
      // As after a password: who has a second factor gives it first.
      if (!hasSecondFactor(user)) await places.add(tx, user.id, attempts.hashed(place))
      const session = await sessions.begin(tx, user.id, {
        method: 'otp',
        address,
        userAgent,
        known: 'address',
        lacksSecond: hasSecondFactor(user),
      })
      await audit(tx, { action: 'login', actor: user, address, traits: { provider: 'email', link: type } })
      return await sessions.tokenResponse(tx, user.id, session.id)
    })
  }

  async function invite({ body, address }: AuthRequest): Promise<AuthAnswer> {
    const { email, data } = readFields(inviteShape, body)
    if (!sendMail)
      throw new AuthError(
        422,
        'email_provider_disabled',
        'This server sends no mail: make a link with generateLink',
      )
    const { user, code } = await newLink('invite', { email, data, address })
    await sendMail({ to: email, kind: 'invite', link: linkOf(siteUrl, code, 'invite') }).catch(
      (cause: unknown) => {
        throw new AuthError(
          500,
          'unexpected_failure',
          'The mail was not sent: make a link with generateLink',
          {
            cause,
          },
        )
      },
    )
    return { body: userJson(user) }
  }

  async function generateLink({ body, address }: AuthRequest): Promise<AuthAnswer> {
    const { type, email, data } = readFields(linkShape, body)
    const { user, code } = await newLink(type, { email, data, address })
    return {
      body: {
        ...userJson(user),
        action_link: linkOf(siteUrl, code, type),
        email_otp: '',
        hashed_token: code,
        verification_type: type,
        redirect_to: siteUrl,
      },
    }
  }

  return {
    'POST /recover': async ({ body, address, place }) => {
      const { email } = readFields(recoverShape, body)
      attempts.demandNoWait({ what: 'recover', place })
      const leave = await turns.enter(place)
      try {
        await attempts.begin({ what: 'recover', place })
      } catch (error) {
        leave()
        throw error
      }
      // The turn lasts longer than the answer takes: whoever comes next waits, or hears that there are too many.
      void recoveries.ask({ email, address }).finally(leave)
      return { body: {} }
    },

    'POST /verify': async (asked) => ({ body: await turns.run(asked.place, () => verify(asked)) }),

    ...forService({ 'POST /invite': invite, 'POST /admin/generate_link': generateLink }),
  }
}
