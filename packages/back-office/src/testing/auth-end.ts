import { createBackend } from '@heyline/backend'
import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { TOTP } from 'otpauth'
import { pino } from 'pino'
import { AuthAdmin } from '../auth-wire/auth-admin.js'
import { type HostedAuthOptions, openHostedAuth } from './hosted-auth.js'

/** One end of the auth wire, with a database for the operators. */
export interface AuthEnd {
  db: Db
  auth: AuthAdmin
  /** Of the auth wire. */
  url: string
  issuers: string[]
  /** The key that browsers have. */
  apiKey: string
  secretKey: string
  fetch: typeof fetch
  ownsAccounts: boolean
  close(): Promise<void>
}

/** The end of a Supabase project. */
export async function hostedEnd(db: Db, options?: HostedAuthOptions): Promise<AuthEnd> {
  const hosted = await openHostedAuth(options)
  const url = `${hosted.url}/auth/v1`
  return {
    db,
    url,
    auth: new AuthAdmin({ url, secretKey: hosted.secretKey }),
    issuers: [hosted.issuer],
    apiKey: hosted.publishableKey,
    secretKey: hosted.secretKey,
    fetch,
    ownsAccounts: false,
    close: async () => {
      await hosted.close()
      await db.close()
    },
  }
}

const KEYS = {
  publishable: 'sb_publishable_of_the_test',
  secret: 'sb_secret_of_the_test',
  jwtSecret: 'a secret for legacy keys, long enough',
}

/** Our own end, in process, on the same database as the operators. */
export async function builtInEnd(db: Db, clock: Clock = systemClock): Promise<AuthEnd> {
  const base = '/-/backend'
  const url = `http://localhost:3000${base}/auth/v1`
  const backend = createBackend({
    db,
    keys: KEYS,
    functions: {},
    base,
    auth: {
      issuer: url,
      key: Buffer.alloc(32, 7),
      addressOf: () => undefined,
      clock,
      siteUrl: 'http://localhost:3000/-/console/',
    },
    logger: pino({ level: 'silent' }),
  })
  const reach: typeof fetch = (input, init) => backend.fetch(new Request(input, init))
  return {
    db,
    url,
    auth: new AuthAdmin({ url, secretKey: KEYS.secret, fetch: reach }),
    issuers: [url],
    apiKey: KEYS.publishable,
    secretKey: KEYS.secret,
    fetch: reach,
    ownsAccounts: true,
    close: async () => {
      await backend.close()
      await db.close()
    },
  }
}

/** What a browser does at the auth wire. */
export const clientOf = ({ url, apiKey, fetch: reach }: Pick<AuthEnd, 'url' | 'apiKey' | 'fetch'>) => {
  const ask = async (method: string, path: string, body?: unknown, token = apiKey) => {
    const answer = await reach(`${url}${path}`, {
      method,
      headers: { apikey: apiKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
  }
  return {
    ask,
    /** The access token, or undefined where it is refused. */
    async signIn(email: string, password: string): Promise<string | undefined> {
      const { body } = await ask('POST', '/token?grant_type=password', { email, password })
      return body.access_token
    },
    /** Uses a link as the console does. Resolves with the access token, or with undefined for a link that is not good. */
    async useLink(link: string, password: string): Promise<string | undefined> {
      const asked = new URLSearchParams(new URL(link).hash.slice(1))
      const { body } = await ask('POST', '/verify', {
        token_hash: asked.get('token_hash'),
        type: asked.get('type'),
      })
      if (!body.access_token) return undefined
      const chosen = await ask('PUT', '/user', { password }, body.access_token)
      if (chosen.status !== 200) throw new Error(`the password was refused: ${JSON.stringify(chosen.body)}`)
      return body.access_token
    },
  }
}

/** Enrols an authenticator app for whoever signed in, and confirms the sign-in with its code. Resolves with the new access token. */
export async function confirmByApp(end: Parameters<typeof clientOf>[0], token: string): Promise<string> {
  const { ask } = clientOf(end)
  const { body: factor } = await ask('POST', '/factors', { factor_type: 'totp', friendly_name: 'app' }, token)
  const { body: challenge } = await ask('POST', `/factors/${factor.id}/challenge`, {}, token)
  const code = new TOTP({ secret: factor.totp.secret }).generate()
  const asked = { challenge_id: challenge.id, code }
  const verified = await ask('POST', `/factors/${factor.id}/verify`, asked, token)
  return verified.body.access_token
}
