import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { exportJWK, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { checkCode, enrol, factorJson, factorOf, type HostedFactor } from './hosted-factors.js'
import { Refusal, refuse } from './hosted-refusal.js'

/** What a project is like. */
export interface HostedAuthOptions {
  /** How it signs access tokens. Older projects have a secret and no public key. */
  alg?: 'ES256' | 'HS256'
  /** Which form its errors have, whatever version the client asks for. */
  errors?: 'new' | 'old'
  clock?: Pick<Clock, 'now'>
}

interface User {
  id: string
  email: string
  password?: string
  confirmed: boolean
  factors: HostedFactor[]
  user_metadata: Record<string, unknown>
  tokens: Map<'invite' | 'recovery', string>
}

interface Session {
  id: string
  userId: string
  aal: string
  /** How it was proved who it is. */
  amr: { method: string; timestamp: number }[]
}

/**
 * A stand-in for the auth of a Supabase project: the calls that we make there, with the answers, rules and errors of
 * GoTrue (its `admin.go`, `mail.go`, `verify.go` and `user.go`), and the gateway that wants an API key.
 */
export async function openHostedAuth({
  alg = 'ES256',
  errors = 'new',
  clock = systemClock,
}: HostedAuthOptions = {}) {
  const secretKey = `sb_secret_${randomBytes(16).toString('base64url')}`
  const publishableKey = `sb_publishable_${randomBytes(16).toString('base64url')}`
  const legacySecret = randomBytes(32)
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'project-key', alg: 'ES256', use: 'sig' }
  const users = new Map<string, User>()
  const sessions = new Map<string, Session>()
  /** Of which session a refresh token is; each is good once. */
  const refreshTokens = new Map<string, string>()
  /** The factor of each challenge that waits for its code. */
  const challenges = new Map<string, string>()
  let issuer = ''

  const seconds = () => Math.floor(clock.now() / 1000)

  const byEmail = (email: string) => [...users.values()].find((user) => user.email === email.toLowerCase())
  const userJson = (user: User) => ({
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    phone: '',
    ...(user.confirmed && { email_confirmed_at: new Date().toISOString() }),
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: user.user_metadata,
    ...(user.factors.length > 0 && { factors: user.factors.map(factorJson) }),
    identities: [],
    created_at: new Date().toISOString(),
    updated_at: new Date().toISOString(),
    is_anonymous: false,
  })
  const accessToken = (user: User, session: Session) => {
    const token = new SignJWT({
      email: user.email,
      app_metadata: {},
      user_metadata: user.user_metadata,
      role: 'authenticated',
      aal: session.aal,
      amr: session.amr,
      session_id: session.id,
    })
      .setIssuer(issuer)
      .setSubject(user.id)
      .setAudience('authenticated')
      .setIssuedAt(seconds())
      .setExpirationTime(seconds() + 3600)
    return alg === 'ES256'
      ? token.setProtectedHeader({ alg, kid: jwk.kid, typ: 'JWT' }).sign(privateKey)
      : token.setProtectedHeader({ alg, typ: 'JWT' }).sign(legacySecret)
  }
  const tokensOf = async (user: User, session: Session) => {
    const refresh_token = randomBytes(16).toString('base64url')
    refreshTokens.set(refresh_token, session.id)
    const access_token = await accessToken(user, session)
    return { access_token, token_type: 'bearer', expires_in: 3600, refresh_token, user: userJson(user) }
  }
  const proved = (method: string) => ({ method, timestamp: seconds() })
  const begin = async (user: User, method: string) => {
    const session = { id: randomUUID(), userId: user.id, aal: 'aal1', amr: [proved(method)] }
    sessions.set(session.id, session)
    return tokensOf(user, session)
  }
  const authenticated = async (request: IncomingMessage): Promise<{ user: User; session: Session }> => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const payload: JWTPayload = await (alg === 'ES256'
      ? jwtVerify(token, publicKey, { algorithms: ['ES256'] })
      : jwtVerify(token, legacySecret, { algorithms: ['HS256'] })
    ).then(
      (verified) => verified.payload,
      () => refuse(403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature'),
    )
    const user =
      users.get(String(payload.sub)) ??
      refuse(403, 'user_not_found', 'User from sub claim in JWT does not exist')
    const session =
      sessions.get(String(payload.session_id)) ??
      refuse(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
    return { user, session }
  }
  const endSessions = (user: User, but?: Session) => {
    for (const session of sessions.values())
      if (session.userId === user.id && session !== but) sessions.delete(session.id)
  }
  const setPassword = (user: User, password: unknown, but?: Session) => {
    if (typeof password !== 'string' || password.length < 6)
      refuse(422, 'weak_password', 'Password should be at least 6 characters.')
    if (String(password).length > 72)
      refuse(422, 'validation_failed', 'Password cannot be longer than 72 characters')
    user.password = String(password)
    user.tokens.clear()
    endSessions(user, but)
  }
  const newUser = (email: string): User => {
    const user: User = {
      id: randomUUID(),
      email: email.toLowerCase(),
      confirmed: false,
      factors: [],
      user_metadata: {},
      tokens: new Map(),
    }
    users.set(user.id, user)
    return user
  }
  const found = (id = '') => users.get(id) ?? refuse(404, 'user_not_found', 'User not found')

  type Body = Record<string, unknown>
  type Route = (body: Body, ids: string[], request: IncomingMessage) => unknown
  const routes: Record<string, Route> = {
    'GET /.well-known/jwks.json': () => ({ keys: alg === 'ES256' ? [jwk] : [] }),
    'POST /admin/users': (body) => {
      const email = String(body.email)
      if (byEmail(email))
        refuse(422, 'email_exists', 'A user with this email address has already been registered')
      const user = newUser(email)
      try {
        setPassword(user, body.password)
      } catch (error) {
        users.delete(user.id)
        throw error
      }
      user.confirmed = body.email_confirm === true
      return userJson(user)
    },
    'GET /admin/users/:id': (_, [id]) => userJson(found(id)),
    'PUT /admin/users/:id': (body, [id]) => {
      const user = found(id)
      if (body.password !== undefined) setPassword(user, body.password)
      if (body.email !== undefined) user.email = String(body.email)
      return userJson(user)
    },
    'DELETE /admin/users/:id': (_, [id]) => {
      const user = found(id)
      endSessions(user)
      users.delete(user.id)
      return {}
    },
    'GET /admin/users/:id/factors': (_, [id]) => found(id).factors.map(factorJson),
    'DELETE /admin/users/:id/factors/:id': (_, [id, factorId]) => {
      const user = found(id)
      user.factors = user.factors.filter((factor) => factor.id !== factorId)
      return { id: factorId }
    },
    'POST /admin/generate_link': (body) => {
      const email = String(body.email)
      let user = byEmail(email)
      if (body.type === 'recovery' && !user) refuse(404, 'user_not_found', 'User with this email not found')
      if (body.type === 'invite' && user?.confirmed)
        refuse(422, 'email_exists', 'A user with this email address has already been registered')
      user ??= newUser(email)
      const otp = String(Math.floor(Math.random() * 1e6)).padStart(6, '0')
      const hashed = createHash('sha224').update(user.email).update(otp).update(randomUUID()).digest('hex')
      user.tokens.set(body.type === 'invite' ? 'invite' : 'recovery', hashed)
      return {
        ...userJson(user),
        action_link: `${issuer}/verify?token=${hashed}&type=${body.type}&redirect_to=http://localhost`,
        email_otp: otp,
        hashed_token: hashed,
        verification_type: body.type,
        redirect_to: 'http://localhost',
      }
    },
    'POST /verify': (body) => {
      const kind = body.type === 'invite' ? 'invite' : 'recovery'
      const user = [...users.values()].find((one) => one.tokens.get(kind) === body.token_hash)
      if (!user) return refuse(403, 'otp_expired', 'Email link is invalid or has expired')
      user.tokens.delete(kind)
      user.confirmed = true
      return begin(user, 'otp')
    },
    'POST /token': (body, _, request) => {
      if (request.url?.includes('grant_type=refresh_token')) {
        const session = sessions.get(refreshTokens.get(String(body.refresh_token)) ?? '')
        refreshTokens.delete(String(body.refresh_token))
        if (!session)
          return refuse(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')
        return tokensOf(found(session.userId), session)
      }
      const user = byEmail(String(body.email))
      if (!user?.confirmed || user.password === undefined || user.password !== body.password)
        return refuse(400, 'invalid_credentials', 'Invalid login credentials')
      return begin(user, 'password')
    },
    'GET /user': async (_, __, request) => userJson((await authenticated(request)).user),
    'PUT /user': async (body, _, request) => {
      const { user, session } = await authenticated(request)
      if (body.password !== undefined) setPassword(user, body.password, session)
      if (typeof body.email === 'string') user.email = body.email.toLowerCase()
      Object.assign(user.user_metadata, body.data)
      return userJson(user)
    },
    'POST /logout': async (_, __, request) => {
      const { user, session } = await authenticated(request)
      if (request.url?.includes('scope=local')) sessions.delete(session.id)
      else endSessions(user, request.url?.includes('scope=others') ? session : undefined)
    },
    'POST /factors': async (body, _, request) => enrol((await authenticated(request)).user.factors, body),
    'POST /factors/:id/challenge': async (_, [id], request) => {
      const factor = factorOf((await authenticated(request)).user.factors, id)
      const challenge = { id: randomUUID(), type: 'totp', expires_at: seconds() + 300 }
      challenges.set(challenge.id, factor.id)
      return challenge
    },
    'POST /factors/:id/verify': async (body, [id], request) => {
      const { user, session } = await authenticated(request)
      const factor = factorOf(user.factors, id)
      if (challenges.get(String(body.challenge_id)) !== factor.id)
        refuse(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')
      checkCode(factor, body.code, clock.now())
      challenges.delete(String(body.challenge_id))
      factor.status = 'verified'
      session.aal = 'aal2'
      session.amr.unshift(proved('totp'))
      return tokensOf(user, session)
    },
    'DELETE /factors/:id': async (_, [id], request) => {
      const { user, session } = await authenticated(request)
      const factor = factorOf(user.factors, id)
      if (factor.status === 'verified' && session.aal !== 'aal2')
        refuse(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor')
      user.factors = user.factors.filter((other) => other !== factor)
      session.aal = 'aal1'
      return { id: factor.id }
    },
  }

  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    const path = (request.url ?? '').replace(/^\/auth\/v1/, '').replace(/\?.*$/, '')
    const ids: string[] = []
    const form = path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      ids.push(id)
      return ':id'
    })
    try {
      const isOpen = form.startsWith('/.well-known/')
      // The gateway's own words.
      const key = String(request.headers.apikey)
      if (!isOpen && ![secretKey, publishableKey].includes(key))
        return answer(401, { message: 'Invalid API key' })
      const isAdmin = form.startsWith('/admin/')
      if (isAdmin && request.headers.authorization !== `Bearer ${secretKey}`)
        refuse(403, 'not_admin', 'User not allowed')
      const route = routes[`${request.method} ${form}`]
      if (!route) return answer(404, undefined)
      let text = ''
      for await (const part of request) text += part
      const body = await route(text === '' ? {} : JSON.parse(text), ids, request)
      answer(body === undefined ? 204 : 200, body)
    } catch (error) {
      const { status, code, message } =
        error instanceof Refusal ? error : new Refusal(500, 'unexpected_failure', String(error))
      const isNew = errors === 'new' && request.headers['x-supabase-api-version'] === '2024-01-01'
      if (isNew) response.setHeader('x-supabase-api-version', '2024-01-01')
      answer(status, isNew ? { code, message } : { code: status, error_code: code, msg: message })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${Object(server.address()).port}`
  issuer = `${url}/auth/v1`

  return {
    /** Of the project: its auth is at `/auth/v1`. */
    url,
    issuer,
    secretKey,
    /** Of browsers. */
    publishableKey,
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
