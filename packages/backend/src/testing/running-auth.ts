import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import type { Session, SupabaseClient, User } from '@supabase/supabase-js'
import { expect } from 'vitest'
import type { BackendAuthOptions, LinkMail } from '../index.js'
import { KEYS, type RunningBackend, runBackend } from './running-backend.js'

const ISSUER = 'https://heyline.example/-/backend/auth/v1'
export const PASSWORD = 'correct horse battery'

/** Tells the backend who asks: there is no other proxy in these tests. */
const ADDRESS_HEADER = 'x-test-address'

/** A backend with the auth wire on a clock of its own, which begins now. */
export interface RunningAuth extends RunningBackend {
  clock: ManualClock
  /** What was sent. */
  mails: LinkMail[]
  /** With the secret key. */
  admin: SupabaseClient
  /** With the public key; each is a browser of its own. */
  browser(options?: { address?: string; agent?: string }): SupabaseClient
  /** A request below `/auth/v1`. */
  ask(method: string, path: string, options?: AskOptions): Promise<Response>
  /** A confirmed account with `PASSWORD`. */
  newUser(email?: string): Promise<User & { email: string }>
  /** A browser that is signed in to a new account. */
  signedIn(): Promise<SignedInBrowser>
}

export interface AskOptions {
  body?: unknown
  headers?: Record<string, string>
  token?: string
  address?: string
}

export interface SignedInBrowser {
  browser: SupabaseClient
  user: User & { email: string }
  session: Session
}

/** The options of one process of the installation of these tests. */
export const authOptions = (clock: ManualClock, mails: LinkMail[] = []): BackendAuthOptions => ({
  issuer: ISSUER,
  key: Buffer.alloc(32, 7),
  addressOf: (request) => request.headers.get(ADDRESS_HEADER) ?? '192.0.2.1',
  sendMail: async (mail) => void mails.push(mail),
  siteUrl: 'https://heyline.example/-/console/',
  clock,
})

let users = 0

export async function runAuth({
  open,
  auth,
}: {
  open: () => Promise<Db>
  auth?: Partial<BackendAuthOptions>
}): Promise<RunningAuth> {
  const clock = new ManualClock(Date.now())
  const mails: LinkMail[] = []
  const backend = await runBackend({}, { open, auth: { ...authOptions(clock, mails), ...auth } })
  const admin = backend.client(KEYS.secret)
  const browser: RunningAuth['browser'] = ({ address, agent } = {}) =>
    backend.client(KEYS.publishable, {
      ...(address && { [ADDRESS_HEADER]: address }),
      ...(agent && { 'user-agent': agent }),
    })
  const newUser = async (email = `user-${++users}@example.com`) => {
    const { data, error } = await admin.auth.admin.createUser({
      email,
      password: PASSWORD,
      email_confirm: true,
    })
    if (error) throw error
    return { ...data.user, email }
  }
  return {
    ...backend,
    clock,
    mails,
    admin,
    browser,
    newUser,
    ask: (method, path, { body, headers, token, address } = {}) =>
      fetch(`${backend.url}/auth/v1${path}`, {
        method,
        headers: {
          apikey: KEYS.publishable,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(address && { [ADDRESS_HEADER]: address }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async signedIn() {
      const user = await newUser()
      const tab = browser()
      const { data, error } = await tab.auth.signInWithPassword({ email: user.email, password: PASSWORD })
      expect(error).toBeNull()
      if (!data.session) throw new Error('There is no session')
      return { browser: tab, user, session: data.session }
    },
  }
}
