import { FACTORS } from './factors-sql.js'

/** A factor in the JSON of its user. */
export interface UserFactor {
  id: string
  status: 'unverified' | 'verified'
  factor_type: string
}

/** An account, with its identities and factors. */
export interface UserRow {
  id: string
  aud: string
  role: string
  email: string | null
  /** Argon2id; null while nobody has set a password. */
  encrypted_password: string | null
  email_confirmed_at: Date | null
  invited_at: Date | null
  recovery_sent_at: Date | null
  confirmation_sent_at: Date | null
  last_sign_in_at: Date | null
  raw_app_meta_data: Record<string, unknown>
  raw_user_meta_data: Record<string, unknown>
  created_at: Date
  updated_at: Date
  phone: string | null
  phone_confirmed_at: Date | null
  confirmed_at: Date | null
  banned_until: Date | null
  is_anonymous: boolean
  identities: Record<string, unknown>[]
  factors: UserFactor[]
}

/** The columns of a `UserRow`, where `u` is `auth.users`. */
export const USER_COLUMNS = `
  u.id, u.aud, u.role, u.email, u.encrypted_password, u.email_confirmed_at, u.invited_at, u.recovery_sent_at,
  u.confirmation_sent_at, u.last_sign_in_at, u.raw_app_meta_data, u.raw_user_meta_data, u.created_at, u.updated_at,
  u.phone, u.phone_confirmed_at, u.confirmed_at, u.banned_until, u.is_anonymous,
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id, 'identity_data', i.identity_data,
      'provider', i.provider, 'last_sign_in_at', i.last_sign_in_at, 'created_at', i.created_at,
      'updated_at', i.updated_at, 'email', i.email
    ) order by i.created_at)
    from auth.identities i where i.user_id = u.id
  ), '[]') as identities,
  ${FACTORS} as factors`

/** The user as clients know it. What is not there is left out. */
export function userJson(user: UserRow): Record<string, unknown> {
  const {
    raw_app_meta_data,
    raw_user_meta_data,
    encrypted_password: _,
    factors,
    email,
    phone,
    ...rest
  } = user
  const there = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  return {
    ...there,
    email: email ?? '',
    phone: phone ?? '',
    app_metadata: raw_app_meta_data,
    user_metadata: raw_user_meta_data,
    ...(factors.length > 0 && { factors }),
  }
}

export const isBanned = ({ banned_until }: Pick<UserRow, 'banned_until'>, now: number): boolean =>
  banned_until !== null && banned_until.getTime() > now

/** Whether it has a second factor that was confirmed once. */
export const hasSecondFactor = ({ factors }: Pick<UserRow, 'factors'>): boolean =>
  factors.some(({ status }) => status === 'verified')
