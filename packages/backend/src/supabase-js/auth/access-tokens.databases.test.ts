import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  authOptions,
  PASSWORD,
  type RunningAuth,
  runAuth,
  type SignedInBrowser,
} from '../../testing/running-auth.js'
import { KEYS, runBackend } from '../../testing/running-backend.js'

type Part = Record<string, unknown>

const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decoded = (token: string, place: number): Part =>
  JSON.parse(Buffer.from(token.split('.')[place] ?? '', 'base64url').toString())

const NOTES = `
  create table public.notes (id int primary key, owner uuid not null, text text, secret boolean not null default false);
  alter table public.notes enable row level security;
  revoke all on public.notes from public, anon, authenticated;
  grant select, insert on public.notes to authenticated;
  create policy own on public.notes for all to authenticated using (
    owner = (select auth.uid()) and (not secret or (select auth.jwt() ->> 'aal') = 'aal2')
  );
`

describe.each(DATABASES)('access tokens, on $name', ({ open }) => {
  let auth: RunningAuth
  let ada: SignedInBrowser
  let jwk: { kid: string; x: string; y: string }
  beforeAll(async () => {
    auth = await runAuth({ open })
    ada = await auth.signedIn()
    await auth.db.exec(NOTES)
    await auth.db.query(
      "insert into public.notes values (1, $1, 'mine'), (2, gen_random_uuid(), 'another''s')",
      [ada.user.id],
    )
    await auth.db.query("insert into public.notes values (3, $1, 'for the second factor', true)", [
      ada.user.id,
    ])
    const { keys } = await (await auth.ask('GET', '/.well-known/jwks.json')).json()
    jwk = keys[0]
  })
  afterEach(() => expect(auth.log).toEqual([]))
  afterAll(() => auth.close())

  describe('at the REST wire', () => {
    it('are the role authenticated, with their claims', async () => {
      const { data, error } = await ada.browser.from('notes').select('text')
      expect(error).toBeNull()
      expect(data).toEqual([{ text: 'mine' }])
      const { data: nobody } = await auth.browser().from('notes').select('text')
      expect(nobody).toBeNull()
    })

    it('tell the level of assurance', async () => {
      await auth.db.query("update auth.sessions set aal = 'aal2' where user_id = $1", [ada.user.id])
      await ada.browser.auth.refreshSession()
      const { data } = await ada.browser.from('notes').select('id').order('id')
      expect(data).toEqual([{ id: 1 }, { id: 3 }])
      await auth.db.query("update auth.sessions set aal = 'aal1' where user_id = $1", [ada.user.id])
    })

    it('read visitors as everybody does, and write none', async () => {
      const { error } = await ada.browser.from('visitors').select('slug')
      expect(error).toBeNull()
      const { error: refused, status } = await ada.browser.from('visitors').insert({ slug: 'x', name: 'X' })
      expect([status, refused?.code]).toEqual([403, '42501'])
    })
  })

  describe('that are not ours', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const es256 = (head: Part, claims: Part, key = other.privateKey) => {
      const text = `${encoded(head)}.${encoded(claims)}`
      return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
    }
    const hs256 = (secret: string | Buffer, head: Part, claims: Part) => {
      const text = `${encoded(head)}.${encoded(claims)}`
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const parts = () => {
      const token = ada.session.access_token
      return {
        token,
        head: decoded(token, 0),
        claims: decoded(token, 1),
        signature: token.split('.')[2] ?? '',
      }
    }
    const publicPem = () =>
      createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y }, format: 'jwk' }).export({
        format: 'pem',
        type: 'spki',
      })

    it.each<[string, () => string]>([
      ['without a signature', () => `${parts().token.split('.').slice(0, 2).join('.')}.`],
      [
        'of the algorithm none',
        () => `${encoded({ alg: 'none', kid: jwk.kid })}.${encoded(parts().claims)}.`,
      ],
      [
        'of HS256 with the public key as the secret',
        () => hs256(publicPem(), { alg: 'HS256', kid: jwk.kid }, parts().claims),
      ],
      [
        'of HS256 with the kid as the secret',
        () => hs256(jwk.kid, { alg: 'HS256', kid: jwk.kid }, parts().claims),
      ],
      ['of another key under our kid', () => es256({ alg: 'ES256', kid: jwk.kid }, parts().claims)],
      ['of another kid', () => es256({ alg: 'ES256', kid: crypto.randomUUID() }, parts().claims)],
      ['without a kid', () => es256({ alg: 'ES256' }, parts().claims)],
      [
        'that bring their key',
        () =>
          es256(
            { alg: 'ES256', kid: jwk.kid, jwk: other.publicKey.export({ format: 'jwk' }) },
            parts().claims,
          ),
      ],
      [
        'with changed claims',
        () =>
          `${encoded(parts().head)}.${encoded({ ...parts().claims, role: 'service_role' })}.${parts().signature}`,
      ],
      ['in four parts', () => `${parts().token}.x`],
      ['that only look like it', () => 'a.b.c'],
    ])('%s', async (_, forge) => {
      const token = forge()
      const user = await auth.ask('GET', '/user', { token })
      expect([user.status, await user.json()]).toMatchObject([403, { error_code: 'bad_jwt' }])
      const rest = await fetch(`${auth.url}/rest/v1/notes`, {
        headers: { apikey: KEYS.publishable, authorization: `Bearer ${token}` },
      })
      expect(rest.status).toBe(401)
    })

    it('a legacy key is nobody’s session', async () => {
      const token = hs256(KEYS.jwtSecret, { alg: 'HS256' }, parts().claims)
      expect((await auth.ask('GET', '/user', { token })).status).toBe(403)
    })

    it('no token at all', async () => {
      const answer = await auth.ask('GET', '/user')
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { code: 401, error_code: 'no_authorization', msg: 'This endpoint requires a valid Bearer token' },
      ])
    })

    it.each([
      ['another issuer', { issuer: 'https://other.example/auth/v1' }],
      ['another installation', { key: Buffer.alloc(32, 8) }],
    ])('of %s', async (_, options) => {
      const elsewhere = await runAuth({ open, auth: options })
      try {
        const { session } = await elsewhere.signedIn()
        expect((await auth.ask('GET', '/user', { token: session.access_token })).status).toBe(403)
      } finally {
        await elsewhere.close()
      }
    })

    it('of this database, but of another issuer', async () => {
      const twin = await runBackend(
        {},
        {
          open: async () => sharing(auth),
          auth: { ...authOptions(auth.clock), issuer: 'https://other.example' },
        },
      )
      try {
        const { email } = await auth.newUser()
        const signIn = { email, password: PASSWORD }
        const { data } = await twin.client(KEYS.publishable).auth.signInWithPassword(signIn)
        expect((await auth.ask('GET', '/user', { token: data.session?.access_token ?? '' })).status).toBe(403)
      } finally {
        await twin.close()
      }
    })
  })

  it('are over after an hour', async () => {
    const { session, browser } = await auth.signedIn()
    const status = async () => (await auth.ask('GET', '/user', { token: session.access_token })).status
    auth.clock.advance(3_600_000)
    expect(await status()).toBe(200)
    auth.clock.advance(31_000)
    expect(await status()).toBe(403)
    const { error } = await browser.from('notes').select('id')
    expect(error).toMatchObject({ code: 'PGRST303', message: 'JWT expired' })
  })

  it('of a deleted account open nothing', async () => {
    const { session, user } = await auth.signedIn()
    await auth.admin.auth.admin.deleteUser(user.id)
    const answer = await auth.ask('GET', '/user', { token: session.access_token })
    expect([answer.status, await answer.json()]).toMatchObject([403, { error_code: 'user_not_found' }])
  })

  describe('and their keys', () => {
    it('are told without private parts', async () => {
      const answer = await auth.ask('GET', '/.well-known/jwks.json')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=600')
      const { keys } = await answer.json()
      expect(keys).toEqual([
        {
          kty: 'EC',
          crv: 'P-256',
          x: expect.any(String),
          y: expect.any(String),
          kid: expect.any(String),
          alg: 'ES256',
          use: 'sig',
          key_ops: ['verify'],
        },
      ])
      const { rows } = await auth.db.query<{ private_key: string }>(
        'select private_key from auth.signing_keys',
      )
      expect(rows[0]?.private_key).toMatch(/^v1\.[\w-]{16}\.[\w-]+$/)
    })

    it('rotate in all processes, and nobody is signed out', async () => {
      const twin = await runBackend({}, { open: async () => sharing(auth), auth: authOptions(auth.clock) })
      try {
        const before = await auth.signedIn()
        const rotated = await twin.backend.auth?.rotateKeys()
        const status = async (url: string, token: string) =>
          (await fetch(`${url}/auth/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status
        const signIn = async (url: string) => {
          const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
            method: 'POST',
            body: JSON.stringify({ email: before.user.email, password: PASSWORD }),
          })
          const { access_token } = await answer.json()
          return { token: access_token, kid: decoded(access_token, 0).kid }
        }
        const byTwin = await signIn(twin.url)
        expect(byTwin.kid).toBe(rotated?.kid)
        // The other process has not heard of it yet, and takes the new key's tokens all the same.
        auth.clock.advance(1_001)
        expect(await status(auth.url, byTwin.token)).toBe(200)
        for (const url of [auth.url, twin.url])
          expect(await status(url, before.session.access_token)).toBe(200)
        auth.clock.advance(60_000)
        expect((await signIn(auth.url)).kid).toBe(rotated?.kid)
        const { keys } = await (await auth.ask('GET', '/.well-known/jwks.json')).json()
        expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual([
          rotated?.kid,
          decoded(before.session.access_token, 0).kid,
        ])
        auth.clock.advance(2 * 3_600_000)
        expect((await (await auth.ask('GET', '/.well-known/jwks.json')).json()).keys).toHaveLength(1)
      } finally {
        await twin.close()
      }
    })

    it('are made once by processes that start at the same time', async () => {
      await auth.db.exec('delete from auth.signing_keys')
      const options = { open: async () => sharing(auth), auth: authOptions(auth.clock) }
      const twins = await Promise.all([
        runBackend({}, options),
        runBackend({}, options),
        runBackend({}, options),
      ])
      try {
        const jwks = await Promise.all(
          twins.map(async ({ url }) => await (await fetch(`${url}/auth/v1/.well-known/jwks.json`)).json()),
        )
        expect(jwks[0].keys).toHaveLength(1)
        expect(jwks).toEqual([jwks[0], jwks[0], jwks[0]])
      } finally {
        for (const twin of twins) await twin.close()
        auth.clock.advance(60_001)
      }
    })

    it('of another installation’s key stop sign-ins with a sentence in the log, until there is a new one', async () => {
      const options = { ...authOptions(auth.clock), key: Buffer.alloc(32, 9) }
      const twin = await runBackend({}, { open: async () => sharing(auth), auth: options })
      try {
        const { email } = await auth.newUser()
        const signIn = () =>
          twin.client(KEYS.publishable).auth.signInWithPassword({ email, password: PASSWORD })
        expect((await signIn()).error).toMatchObject({ status: 500 })
        expect(JSON.stringify(twin.log)).toContain('was sealed with another key')
        await twin.backend.auth?.rotateKeys()
        expect((await signIn()).error).toBeNull()
      } finally {
        await twin.close()
      }
    })
  })
})

/** The same database for another process, which does not close it. */
const sharing = ({ db }: RunningAuth): RunningAuth['db'] => ({ ...db, close: async () => undefined })
