import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { z } from 'zod'
import { audit } from '../audit/audit.js'
import { AuthError } from '../wire/auth-error.js'
import {
  changedMetadata,
  emailShape,
  givenPasswordShape,
  idOf,
  metadataShape,
  phoneShape,
  readFields,
} from '../wire/fields.js'
import type { ForService } from '../wire/for-service.js'
import type { AuthRequest, AuthRoutes } from '../wire/request.js'
import { type Accounts, notFound } from './accounts.js'
import { forgetLinks } from './forget-links.js'
import type { Passwords } from './passwords.js'
import { type UserRow, userJson } from './user.js'

export interface AdminParts {
  db: Db
  accounts: Accounts
  passwords: Passwords
  forService: ForService
  clock: Clock
}

const PER_PAGE = { standard: 50, most: 1_000 }
/** Furthest page: Postgres reads all before it. */
const LAST_PAGE = 10_000

const UNITS = { h: 3_600_000, m: 60_000, s: 1_000 }
/** Longest ban that is told from one for ever, in ms: 100 years, as Supabase's own dashboard bans. */
const LONGEST_BAN_MS = 876_000 * UNITS.h

const durationShape = z
  .string()
  .regex(/^(none|(\d{1,9}[hms])+)$/, 'ban_duration is "none" or a duration such as "24h" or "1h30m"')
  .transform((text) =>
    text === 'none'
      ? null
      : [...text.matchAll(/(\d+)([hms])/g)].reduce(
          (sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS],
          0,
        ),
  )

const userShape = z.object({
  id: z.uuid('id has to be a UUID').optional(),
  email: emailShape.optional(),
  password: givenPasswordShape.optional(),
  password_hash: z
    .undefined('password_hash is not taken here: give the password, or send an invitation')
    .optional(),
  // Accounts have it without the plus, as Supabase's do.
  phone: phoneShape.transform((phone) => phone.slice(1)).optional(),
  email_confirm: z.boolean().optional(),
  phone_confirm: z.boolean().optional(),
  user_metadata: metadataShape.optional(),
  app_metadata: metadataShape.optional(),
  ban_duration: durationShape.optional(),
  // Nobody's rights come from here: every account has the same role.
  role: z.literal(['authenticated', ''], 'Every account has the role authenticated').optional(),
})

const pageShape = z.object({
  page: z.coerce.number().int().min(1).max(LAST_PAGE).catch(1),
  per_page: z.coerce.number().int().min(1).max(PER_PAGE.most).catch(PER_PAGE.standard),
})

const removalShape = z.object({
  should_soft_delete: z
    .literal(false, 'Accounts are deleted for good here: leave should_soft_delete out')
    .optional(),
})

/** `/admin/users`: what the secret key may do with accounts. */
export function adminRoutes({ db, accounts, passwords, forService, clock }: AdminParts): AuthRoutes {
  const bannedUntil = (duration: number | null | undefined) =>
    typeof duration === 'number' ? new Date(clock.now() + Math.min(duration, LONGEST_BAN_MS)) : duration

  async function create(asked: AuthRequest): Promise<UserRow> {
    const wanted = readFields(userShape, asked.body)
    const { email, password } = wanted
    if (email === undefined)
      throw AuthError.invalid('Cannot create a user without an email address: nobody signs in by phone here')
    const passwordHash = password === undefined ? undefined : await passwords.hash(password)
    return await db.transaction(async (tx) => {
      const { id } = await accounts.create(tx, {
        id: wanted.id,
        email,
        passwordHash,
        isConfirmed: wanted.email_confirm ?? false,
        appMetadata: changedMetadata({}, wanted.app_metadata),
        userMetadata: changedMetadata({}, wanted.user_metadata),
      })
      const traits = { user_id: id, user_email: email, provider: 'email' }
      await audit(tx, { action: 'user_signedup', address: asked.address, traits })
      return await accounts.change(tx, id, {
        phone: wanted.phone,
        isPhoneConfirmed: wanted.phone_confirm,
        bannedUntil: bannedUntil(wanted.ban_duration),
      })
    })
  }

  async function change(asked: AuthRequest): Promise<UserRow> {
    const id = idOf(asked.ids, 0, 'user_id')
    const wanted = readFields(userShape.omit({ id: true }), asked.body)
    const { password } = wanted
    const passwordHash = password === undefined ? undefined : await passwords.hash(password)
    const until = bannedUntil(wanted.ban_duration)
    return await db.transaction(async (tx) => {
      const kept = await accounts.taken(tx, id)
      if (!kept) throw notFound()
      const user = await accounts.change(tx, id, {
        email: wanted.email,
        passwordHash,
        phone: wanted.phone,
        isConfirmed: wanted.email_confirm,
        isPhoneConfirmed: wanted.phone_confirm,
        bannedUntil: until,
        appMetadata: wanted.app_metadata && changedMetadata(kept.raw_app_meta_data, wanted.app_metadata),
        userMetadata: wanted.user_metadata && changedMetadata(kept.raw_user_meta_data, wanted.user_metadata),
      })
      if (passwordHash !== undefined || until)
        await tx.query('delete from auth.sessions where user_id = $1', [id])
      if (passwordHash !== undefined || wanted.email !== undefined || until) await forgetLinks(tx, id)
      const traits = { user_id: id, user_email: user.email, changed: Object.keys(asked.body).sort() }
      await audit(tx, { action: 'user_modified', address: asked.address, traits })
      return user
    })
  }

  async function remove(asked: AuthRequest): Promise<void> {
    const id = idOf(asked.ids, 0, 'user_id')
    readFields(removalShape, asked.body)
    await db.transaction(async (tx) => {
      const { email } = await accounts.remove(tx, id)
      const traits = { user_id: id, user_email: email }
      await audit(tx, { action: 'user_deleted', address: asked.address, traits })
    })
  }

  async function list({ query }: AuthRequest) {
    const wanted = readFields(pageShape, Object.fromEntries(query))
    const { page, per_page: perPage } = wanted
    const { users, total } = await accounts.list(db, { page, perPage })
    const last = Math.max(1, Math.ceil(total / perPage))
    const link = (to: number, rel: string) => `</admin/users?page=${to}&per_page=${perPage}>; rel="${rel}"`
    return {
      body: { users: users.map(userJson), aud: 'authenticated' },
      headers: {
        'x-total-count': `${total}`,
        link: [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', '),
      },
    }
  }

  async function show({ ids }: AuthRequest): Promise<UserRow> {
    const user = await accounts.byId(db, idOf(ids, 0, 'user_id'))
    if (!user) throw notFound()
    return user
  }

  return forService({
    'GET /admin/users': list,
    'POST /admin/users': async (asked) => ({ body: userJson(await create(asked)) }),
    'GET /admin/users/{id}': async (asked) => ({ body: userJson(await show(asked)) }),
    'PUT /admin/users/{id}': async (asked) => ({ body: userJson(await change(asked)) }),
    'DELETE /admin/users/{id}': async (asked) => {
      await remove(asked)
      return { body: {} }
    },
  })
}
