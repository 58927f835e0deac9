import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD, type RunningAuth, runAuth } from '../../testing/running-auth.js'

describe.each(DATABASES)('whoever guesses, on $name', ({ open }) => {
  let auth: RunningAuth
  beforeAll(async () => {
    auth = await runAuth({ open })
  })
  beforeEach(async () => {
    // What was counted before, and who is known, is over.
    auth.clock.advance(61_000)
    await auth.db.exec('delete from auth.attempts')
  })
  afterAll(() => auth.close())

  const signIn = async (email: string, address: string, password = PASSWORD) => {
    const body = { email, password }
    const answer = await auth.ask('POST', '/token?grant_type=password', { body, address })
    return { status: answer.status, wait: Number(answer.headers.get('retry-after') ?? 0) }
  }
  /** Guesses as soon as it may, until so many were looked at. */
  const guess = async (email: string, addressOf: (tries: number) => string, count: number) => {
    for (let tries = 0; tries < count; ) {
      const { status, wait } = await signIn(email, addressOf(tries), 'wrong password')
      if (status === 400) tries += 1
      else auth.clock.advance(wait * 1_000)
    }
  }

  it('beside an owner keeps him from nothing at his own address', async () => {
    const { email } = await auth.newUser()
    expect((await signIn(email, '203.0.113.5')).status).toBe(200)
    await guess(email, () => '203.0.113.200', 12)
    expect((await signIn(email, '203.0.113.200', 'wrong password')).status).toBe(429)
    for (let tries = 0; tries < 4; tries += 1) {
      expect((await signIn(email, '203.0.113.5')).status).toBe(200)
      await signIn(email, '203.0.113.200', 'wrong password')
    }
  })

  it('at the address of an owner waits as long as from anywhere', async () => {
    const { email } = await auth.newUser()
    expect((await signIn(email, '203.0.114.5')).status).toBe(200)
    await guess(email, () => '203.0.114.5', 12)
    expect(await signIn(email, '203.0.114.5', 'wrong password')).toEqual({ status: 429, wait: 128 })
  })

  it('from many networks keeps an owner out of no new one', async () => {
    const { email } = await auth.newUser()
    await guess(email, (tries) => `10.${50 + (tries % 15)}.0.1`, 40)
    for (const address of ['192.0.2.200', '198.51.100.7']) {
      expect((await signIn(email, address, 'wrong password')).status).toBe(400)
      expect(await signIn(email, address)).toMatchObject({ status: 429 })
      auth.clock.advance(60_000)
      // They were there first.
      for (let tries = 0; tries < 15; tries += 1)
        await signIn(email, `10.${50 + (tries % 15)}.0.1`, 'wrong password')
      expect((await signIn(email, address)).status).toBe(200)
    }
  })

  it('keeps nobody out of a network that a link led in from', async () => {
    const { email } = await auth.newUser()
    const { data } = await auth.admin.auth.admin.generateLink({ type: 'recovery', email })
    const link = { type: 'recovery', token_hash: data.properties?.hashed_token }
    const used = await auth.ask('POST', '/verify', { body: link, address: '192.0.77.5' })
    expect(used.status).toBe(200)
    await guess(email, (tries) => `192.0.77.${100 + (tries % 5)}`, 12)
    expect((await signIn(email, '192.0.77.5')).status).toBe(200)
  })

  it('beside an owner leaves the /64 of an IPv6 address alone', async () => {
    const { email } = await auth.newUser()
    expect((await signIn(email, '2001:db8:7:1::5')).status).toBe(200)
    await guess(email, () => '2001:db8:7:2::5', 12)
    expect((await signIn(email, '2001:db8:7:1::77')).status).toBe(200)
  })
})
