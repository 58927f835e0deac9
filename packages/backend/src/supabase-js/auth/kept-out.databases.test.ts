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

  it('beside an owner leaves the /64 of an IPv6 address alone', async () => {
    const { email } = await auth.newUser()
    expect((await signIn(email, '2001:db8:7:1::5')).status).toBe(200)
    await guess(email, () => '2001:db8:7:2::5', 12)
    expect((await signIn(email, '2001:db8:7:1::77')).status).toBe(200)
  })
})
