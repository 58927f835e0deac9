import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeEach, expect, it } from 'vitest'
import { describeFactors, outcome } from '../../testing/factors.js'
import { PASSWORD } from '../../testing/running-auth.js'

const OWN = '192.0.2.1'
const FAR = '198.51.100.7'

describeFactors('whoever has the password alone', (at) => {
  beforeEach(() => at.wire.db.exec('delete from auth.attempts'))

  async function victim() {
    const email = await at.anyone()
    const owner = await at.wire.signIn(email, OWN)
    return { email, owner, ...(await at.verified(owner)) }
  }
  const signIn = async (email: string, address: string) => {
    const body = { email, password: PASSWORD }
    const answer = await at.wire.ask('POST', '/token?grant_type=password', { body, address })
    return { status: answer.status, wait: Number(answer.headers.get('retry-after') ?? 0) }
  }
  /** So many times, each from a network of its own. Nothing that is counted is left. */
  const comeIn = async (email: string, times: number) => {
    for (let n = 0; n < times; n += 1) {
      await at.wire.db.exec('delete from auth.attempts')
      expect((await signIn(email, `10.7.${n}.1`)).status).toBe(200)
      at.wire.clock.advance(2_000)
    }
  }
  /** Sixty more sessions of the account, as of now. */
  const fill = async (owner: SupabaseClient, aal: string) =>
    at.wire.db.query(
      `insert into auth.sessions (user_id, aal, refreshed_at) select $1, $2, $3 from generate_series(1, 60)`,
      [await at.userIdOf(owner), aal, new Date(at.wire.clock.now())],
    )
  const isThere = async (client: SupabaseClient) => (await client.auth.getUser()).error === null
  const lacking = (client: SupabaseClient) =>
    at.userIdOf(client).then((id) => at.count("auth.sessions where user_id = $1 and aal = 'aal1'", [id]))

  it('ends no session that gave the second factor, and has ten at most', async () => {
    const { email, owner } = await victim()
    await fill(owner, 'aal1')
    await comeIn(email, 2)
    expect(await isThere(owner)).toBe(true)
    expect(await lacking(owner)).toBe(10)
  })

  it('writes two hundred lines a day of challenges at most, and keeps the owner from none', async () => {
    const { email, owner, factorId, secret } = await victim()
    const stranger = await at.wire.signIn(email, FAR)
    const id = await at.userIdOf(owner)
    const lines = (action: string) =>
      at.count("auth.audit_log_entries where payload ->> 'actor_id' = $1 and payload ->> 'action' = $2", [
        id,
        action,
      ])
    for (let tries = 0; tries < 205; tries += 1) await stranger.auth.mfa.challenge({ factorId })
    expect(await lines('challenge_created')).toBe(200)
    expect(await lines('verification_attempted')).toBe(1)
    at.wire.clock.advance(60_000)
    expect(await outcome(owner.auth.mfa.challengeAndVerify({ factorId, code: at.shown(secret) }))).toBe('ok')
    expect(await lines('verification_attempted')).toBe(2)
  })

  it('keeps an owner from no code at a known place, nor with a link', async () => {
    const { email, secret, factorId } = await victim()
    const again = await at.wire.signIn(email, OWN)
    const { data } = await at.wire.admin.auth.admin.generateLink({ type: 'recovery', email })
    const body = { type: 'recovery', token_hash: data.properties?.hashed_token }
    const link = await at.wire.ask('POST', '/verify', { body, address: '203.0.113.77' })
    const { access_token: token } = await link.json()
    await fill(again, 'aal1')
    await comeIn(email, 12)
    expect((await at.wire.ask('GET', '/user', { token })).status).toBe(200)
    const code = at.shown(secret)
    expect(await outcome(again.auth.mfa.challengeAndVerify({ factorId, code }))).toBe('ok')
    expect(await lacking(again)).toBe(0)
  })

  it('and neighbours with it keep nobody from a code who is at an address of his own', async () => {
    const { email, secret, factorId } = await victim()
    const again = await at.wire.signIn(email, OWN)
    at.wire.clock.advance(1_000)
    await fill(again, 'aal1')
    for (let n = 0; n < 12; n += 1) expect((await signIn(email, `192.0.2.${100 + n}`)).status).toBe(200)
    const code = at.shown(secret)
    expect(await outcome(again.auth.mfa.challengeAndVerify({ factorId, code }))).toBe('ok')
  })

  it('ends the other sessions of an owner only where those are fifty', async () => {
    const { owner, secret, factorId } = await victim()
    const userId = await at.userIdOf(owner)
    at.wire.clock.advance(1_000)
    await fill(owner, 'aal2')
    const code = at.shown(secret)
    expect(await outcome(owner.auth.mfa.challengeAndVerify({ factorId, code }))).toBe('ok')
    expect(await at.count('auth.sessions where user_id = $1', [userId])).toBe(50)
    expect(await isThere(owner)).toBe(true)
  })

  it('comes in ten times for nothing, and then waits as whoever has a wrong one does', async () => {
    const { email, owner } = await victim()
    const userId = await at.userIdOf(owner)
    const tries = []
    for (let n = 0; n < 20; n += 1) tries.push((await signIn(email, FAR)).status)
    expect(tries.filter((status) => status === 200)).toHaveLength(15)
    expect(await signIn(email, FAR)).toMatchObject({ status: 429 })
    expect(
      await at.count(
        `auth.audit_log_entries where payload ->> 'actor_id' = $1
      and payload ->> 'action' = 'login' and ip_address = $2`,
        [userId, FAR],
      ),
    ).toBe(15)
    // The owner does not wait: neither at a known address nor at a new one.
    for (let n = 0; n < 16; n += 1) expect((await signIn(email, OWN)).status).toBe(200)
    expect((await signIn(email, '203.0.113.9')).status).toBe(200)
    // What is forgotten is free again.
    at.wire.clock.advance(15 * 60_000)
    expect((await signIn(email, FAR)).status).toBe(200)
  })

  it('from many networks comes in as rarely as whoever guesses from them', async () => {
    const { email } = await victim()
    const tries = []
    for (let n = 0; n < 45; n += 1) tries.push((await signIn(email, `10.8.${n % 8}.1`)).status)
    // Ten that are free, twenty that the account takes, and a look of each network.
    expect(tries.filter((status) => status === 200).length).toBeLessThanOrEqual(10 + 20 + 8)
  })

  it('is not counted where the second factor follows, nor where there is none', async () => {
    const { email, owner, factorId } = await victim()
    const codes = await at.recoveryCodes(owner)
    // What an owner makes is counted as well.
    await at.wire.db.exec('delete from auth.attempts')
    // Ten that are good for a session each, without a moment between them.
    for (const [n, code] of codes.entries()) {
      const { mfa } = (await at.wire.signIn(email, `10.9.${n}.1`)).auth
      expect(await outcome(mfa.verify({ factorId, challengeId: factorId, code }))).toBe('ok')
    }
    const levels = await at.wire.db.query('select from auth.attempts where level > 0')
    expect(levels.rows).toEqual([])
    const without = await at.anyone()
    for (let n = 0; n < 16; n += 1) expect((await signIn(without, FAR)).status).toBe(200)
  })

  it('sees its own session only, and ends no other', async () => {
    const { email, owner } = await victim()
    const thief = await at.wire.signIn(email, FAR)
    const listed = async (client: SupabaseClient) => {
      const { body } = await at.ask(client, 'GET', '/sessions')
      return body as { id: string; ip: string; current: boolean }[]
    }
    expect(await listed(thief)).toMatchObject([{ ip: FAR, current: true }])
    const all = await listed(owner)
    expect(all).toHaveLength(2)
    const own = all.find(({ current }) => current)?.id ?? ''
    for (const id of [own, randomUUID()])
      expect(await at.ask(thief, 'DELETE', `/sessions/${id}`)).toMatchObject({
        status: 403,
        body: { error_code: 'insufficient_aal' },
      })
    for (const scope of ['global', 'others', 'local']) {
      const token = await at.tokenOf(await at.wire.signIn(email, FAR))
      const logout = await at.wire.ask('POST', `/logout?scope=${scope}`, { token })
      expect(logout.status).toBe(204)
      expect((await at.wire.ask('GET', '/user', { token })).status).toBe(403)
    }
    expect(await isThere(owner)).toBe(true)
    expect(await isThere(thief)).toBe(true)
    const { id } = (await listed(thief))[0] ?? {}
    const token = await at.tokenOf(thief)
    expect((await at.wire.ask('DELETE', `/sessions/${id}`, { token })).status).toBe(204)
    expect(await isThere(thief)).toBe(false)
    // Whoever gave the second factor ends them as before.
    const other = await at.wire.signIn(email, FAR)
    expect(await outcome(owner.auth.signOut({ scope: 'others' }))).toBe('ok')
    expect([await isThere(other), await isThere(owner)]).toEqual([false, true])
  })

  it('changes no metadata', async () => {
    const { email, owner } = await victim()
    const thief = await at.wire.signIn(email, FAR)
    expect(await outcome(thief.auth.updateUser({ data: { name: 'Eve' } }))).toMatch(/^403 insufficient_aal/)
    expect(await outcome(owner.auth.updateUser({ data: { name: 'Ada' } }))).toBe('ok')
    expect((await owner.auth.getUser()).data.user?.user_metadata).toEqual({ name: 'Ada' })
  })
})
