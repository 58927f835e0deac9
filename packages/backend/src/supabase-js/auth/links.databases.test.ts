import { DATABASES } from '@heyline/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LinkMail, MailNotTaken } from '../../index.js'
import { PASSWORD, type RunningAuth, runAuth } from '../../testing/running-auth.js'

describe.each(DATABASES)('links, on $name', ({ open }) => {
  let auth: RunningAuth
  beforeAll(async () => {
    auth = await runAuth({ open })
  })
  beforeEach(() => {
    auth.mails.length = 0
  })
  afterEach(() => expect(auth.log).toEqual([]))
  afterAll(() => auth.close())

  const codeOf = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get('token_hash') ?? ''
  const EXPIRED = { status: 403, code: 'otp_expired', message: 'Email link is invalid or has expired' }
  const verify = (type: 'recovery' | 'invite' | 'email', token_hash: string) =>
    auth.browser().auth.verifyOtp({ type, token_hash })
  const link = async (type: 'recovery' | 'invite', email: string) => {
    const { data, error } = await auth.admin.auth.admin.generateLink({ type, email })
    if (error) throw error
    return data
  }

  it('lets in who has forgotten the password, once', async () => {
    const { email } = await auth.newUser()
    const { error } = await auth.browser().auth.resetPasswordForEmail(email.toUpperCase())
    expect(error).toBeNull()
    await vi.waitFor(() => expect(auth.mails).toHaveLength(1))
    const [mail] = auth.mails as [LinkMail]
    expect(mail).toMatchObject({ to: email, kind: 'recovery' })
    expect(mail.link).toMatch(/^https:\/\/heyline\.example\/-\/console\/#token_hash=[\w-]{43}&type=recovery$/)
    const browser = auth.browser()
    const { data } = await browser.auth.verifyOtp({ type: 'recovery', token_hash: codeOf(mail.link) })
    expect(data.session?.user.email).toBe(email)
    expect((await browser.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'otp' }])
    expect((await browser.auth.updateUser({ password: 'another fine password' })).error).toBeNull()
    expect((await verify('recovery', codeOf(mail.link))).error).toMatchObject(EXPIRED)
    const again = { email, password: 'another fine password' }
    expect((await auth.browser().auth.signInWithPassword(again)).error).toBeNull()
  })

  it('says the same of an account that is not there', async () => {
    const { email } = await auth.newUser()
    const answers = await Promise.all(
      [email, 'nobody@example.com'].map((name) => auth.ask('POST', '/recover', { body: { email: name } })),
    )
    const seen = await Promise.all(
      answers.map(async (answer) => [
        answer.status,
        await answer.text(),
        [...answer.headers].filter(([name]) => name !== 'date'),
      ]),
    )
    expect(seen[0]).toEqual(seen[1])
    expect(seen[0]?.slice(0, 2)).toEqual([200, '{}'])
    await vi.waitFor(() => expect(auth.mails).toHaveLength(1))
  })

  it('sends at most one mail a minute, and five in all', async () => {
    const { email } = await auth.newUser()
    const ask = async () => {
      await auth.ask('POST', '/recover', { body: { email }, address: '198.51.100.1' })
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    await ask()
    await vi.waitFor(() => expect(auth.mails).toHaveLength(1))
    await ask()
    for (let mail = 2; mail <= 5; mail += 1) {
      auth.clock.advance(60_001)
      await ask()
      await vi.waitFor(() => expect(auth.mails).toHaveLength(mail))
    }
    auth.clock.advance(60_001)
    await ask()
    await ask()
    expect(auth.mails).toHaveLength(5)
    expect((await verify('recovery', codeOf(auth.mails[0]?.link ?? ''))).error).toBeNull()
  })

  it('slows down an address that asks for many', async () => {
    const statuses: number[] = []
    for (let asked = 0; asked < 22; asked += 1) {
      const body = { email: `somebody-${asked}@example.com` }
      statuses.push((await auth.ask('POST', '/recover', { body, address: '198.51.100.77' })).status)
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200))
  })

  it('holds for a day', async () => {
    const { email } = await auth.newUser()
    const { properties } = await link('recovery', email)
    auth.clock.advance(24 * 3_600_000)
    expect((await verify('recovery', properties.hashed_token)).error).toMatchObject(EXPIRED)
  })

  it('is made by the secret key', async () => {
    const { email, id } = await auth.newUser()
    const { properties, user } = await link('recovery', email)
    expect(user).toMatchObject({ id, email })
    expect(properties).toEqual({
      action_link: `https://heyline.example/-/console/#token_hash=${properties.hashed_token}&type=recovery`,
      email_otp: '',
      hashed_token: expect.stringMatching(/^[\w-]{43}$/),
      redirect_to: 'https://heyline.example/-/console/',
      verification_type: 'recovery',
    })
    expect((await verify('invite', properties.hashed_token)).error).toMatchObject(EXPIRED)
    expect((await verify('email', properties.hashed_token)).error).toBeNull()
  })

  it('is kept as a hash', async () => {
    const { email } = await auth.newUser()
    const { properties } = await link('recovery', email)
    const { rows } = await auth.db.query('select * from auth.one_time_tokens')
    expect(rows).not.toHaveLength(0)
    expect(JSON.stringify(rows)).not.toContain(properties.hashed_token)
  })

  it('invites, and confirms the address of who comes', async () => {
    const { data, error } = await auth.admin.auth.admin.inviteUserByEmail('guest@example.com', {
      data: { name: 'Guest' },
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ invited_at: expect.any(String), user_metadata: { name: 'Guest' } })
    expect(data.user?.email_confirmed_at).toBeUndefined()
    expect(auth.mails).toMatchObject([{ to: 'guest@example.com', kind: 'invite' }])
    const browser = auth.browser()
    const taken = await browser.auth.verifyOtp({
      type: 'invite',
      token_hash: codeOf(auth.mails[0]?.link ?? ''),
    })
    expect(taken.data.user?.email_confirmed_at).toEqual(expect.any(String))
    expect((await browser.auth.updateUser({ password: PASSWORD })).error).toBeNull()
    expect(
      (await auth.browser().auth.signInWithPassword({ email: 'guest@example.com', password: PASSWORD }))
        .error,
    ).toBeNull()
    const again = await auth.admin.auth.admin.inviteUserByEmail('guest@example.com')
    expect(again.error).toMatchObject({ status: 422, code: 'email_exists' })
  })

  it('invites again who has not come yet', async () => {
    const first = await link('invite', 'late@example.com')
    const second = await link('invite', 'late@example.com')
    expect(second.user.id).toBe(first.user.id)
    expect((await verify('invite', second.properties.hashed_token)).error).toBeNull()
    expect((await verify('invite', first.properties.hashed_token)).error).toMatchObject(EXPIRED)
  })

  it.each([
    ['nobody', { type: 'recovery', email: 'nobody@example.com' }, { status: 404, code: 'user_not_found' }],
    [
      'a magic link',
      { type: 'magiclink', email: 'a@example.com' },
      { status: 400, code: 'validation_failed' },
    ],
  ] as const)('is not made for %s', async (_, asked, error) => {
    expect((await auth.admin.auth.admin.generateLink(asked)).error).toMatchObject(error)
  })

  it('is good for one of many at the same time', async () => {
    const { email } = await auth.newUser()
    const { properties } = await link('recovery', email)
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => verify('recovery', properties.hashed_token)),
    )
    expect(tries.filter(({ error }) => error === null)).toHaveLength(1)
  })

  it('opens nothing for a banned account', async () => {
    const { email, id } = await auth.newUser()
    await auth.admin.auth.admin.updateUserById(id, { ban_duration: '1h' })
    const { properties } = await link('recovery', email)
    expect((await verify('recovery', properties.hashed_token)).error).toMatchObject({
      status: 403,
      code: 'user_banned',
    })
  })

  it('has no codes of six digits', async () => {
    const { error } = await auth
      .browser()
      .auth.verifyOtp({ type: 'email', email: 'a@example.com', token: '123456' })
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' })
  })
})

describe('a mail that is not sent', () => {
  it('is none of the mails that may be sent, and is not written down', async () => {
    const [{ open }] = DATABASES as [(typeof DATABASES)[number]]
    let isAway = true
    let tried = 0
    const mails: LinkMail[] = []
    const sendMail = async (mail: LinkMail) => {
      tried += 1
      if (isAway) throw new MailNotTaken('no post today')
      mails.push(mail)
      throw new Error('no answer in time')
    }
    const auth = await runAuth({ open, auth: { sendMail } })
    try {
      const { email, id } = await auth.newUser()
      const recover = () => auth.ask('POST', '/recover', { body: { email } })
      const left = async () => {
        const { rows } = await auth.db.query<{ links: number; at: Date | null }>(
          `select (select count(*)::int from auth.one_time_tokens where user_id = $1) as links, recovery_sent_at as at
           from auth.users where id = $1`,
          [id],
        )
        return rows[0]
      }
      for (let tries = 1; tries <= 6; tries += 1) {
        await recover()
        await expect.poll(() => tried).toBe(tries)
        auth.clock.advance(45_000)
        await expect.poll(left).toEqual({ links: 0, at: null })
      }
      isAway = false
      await recover()
      await expect.poll(() => mails.length).toBe(1)
      // It may have been sent: its link is good, and the next is not sent at once.
      expect(await left()).toEqual({ links: 1, at: expect.any(Date) })
      await recover()
      auth.clock.advance(45_000)
      const requested = async () =>
        (
          await auth.db.query(
            "select from auth.audit_log_entries where payload ->> 'action' = 'user_recovery_requested'",
          )
        ).rows.length
      await expect.poll(requested).toBe(1)
      expect(mails).toHaveLength(1)
    } finally {
      await auth.close()
    }
  })

  it('is told to who invites, and logged where nobody waits', async () => {
    const [{ open }] = DATABASES as [(typeof DATABASES)[number]]
    const auth = await runAuth({ open, auth: { sendMail: () => Promise.reject(new Error('no post today')) } })
    try {
      const { email } = await auth.newUser()
      const { error } = await auth.admin.auth.admin.inviteUserByEmail('guest@example.com')
      expect(error).toMatchObject({ status: 500 })
      await auth.ask('POST', '/recover', { body: { email } })
      await vi.waitFor(() =>
        expect(auth.log).toContainEqual(expect.objectContaining({ level: 50, msg: 'a mail was not sent' })),
      )
    } finally {
      await auth.close()
    }
  })

  it('is refused at once where there is no mail', async () => {
    const [{ open }] = DATABASES as [(typeof DATABASES)[number]]
    const auth = await runAuth({ open, auth: { sendMail: undefined } })
    try {
      const { error } = await auth.admin.auth.admin.inviteUserByEmail('guest@example.com')
      expect(error).toMatchObject({ status: 422, code: 'email_provider_disabled' })
      expect((await auth.ask('POST', '/recover', { body: { email: 'a@example.com' } })).status).toBe(200)
    } finally {
      await auth.close()
    }
  })
})
