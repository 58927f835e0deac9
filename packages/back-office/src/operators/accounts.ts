import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Account, AccountLink, AuthAdmin } from '../auth-wire/auth-admin.js'
import { AuthWireError } from '../auth-wire/auth-wire-error.js'
import { OperatorsError } from './operators-error.js'

const EMAIL_MOST = 320
const email = z.email().max(EMAIL_MOST)

/** The address in small letters, as accounts have it. Throws an `OperatorsError` for what is none. */
export function parseEmail(text: string): string {
  const parsed = email.safeParse(text.trim().toLowerCase())
  if (parsed.success) return parsed.data
  throw new OperatorsError('invalid_email', 'This is no e-mail address: write it like ada@example.com')
}

/** No account had it before, and nobody knows it. It has letters of each kind, as some projects want. */
export const unknownPassword = (): string => `aA1!${randomBytes(32).toString('base64url')}`

/**
 * A link for somebody who may have no account yet. One is made then, or invited again; who has a confirmed one gets a
 * link to choose a new password, and keeps the old one until then.
 */
export async function linkFor(auth: AuthAdmin, to: string): Promise<AccountLink> {
  try {
    return await auth.link('invite', to)
  } catch (error) {
    if (isThere(error)) return await auth.link('recovery', to)
    throw error
  }
}

/** A new account with this password. One that is there already is taken as it is: `isNew` is false. */
export async function accountFor(
  auth: AuthAdmin,
  to: string,
  password: string,
): Promise<{ account: Account; isNew: boolean }> {
  try {
    return { account: await auth.createAccount(to, password), isNew: true }
  } catch (error) {
    if (!isThere(error)) throw error
    return { account: (await auth.link('recovery', to)).account, isNew: false }
  }
}

const isThere = (error: unknown): boolean => error instanceof AuthWireError && error.code === 'email_exists'

/** Runs something at the auth wire, and says its refusals in our words. */
export async function atAccounts<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AuthWireError)) throw error
    throw refusalOf(error)
  }
}

function refusalOf(error: AuthWireError): OperatorsError {
  const options = { cause: error }
  if (error.status === 0) return new OperatorsError('accounts_unreachable', error.message, options)
  if (error.code === 'weak_password') return new OperatorsError('weak_password', error.message, options)
  if (error.code === 'validation_failed') return new OperatorsError('invalid_request', error.message, options)
  const remedy = error.isRefusedToken ? ': check SUPABASE_SECRET_KEY' : ''
  return new OperatorsError('accounts_refused', `The accounts refuse it (${error.message})${remedy}`, options)
}
