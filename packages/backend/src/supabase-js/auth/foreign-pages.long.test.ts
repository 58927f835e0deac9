import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD, type RunningAuth, runAuth } from '../../testing/running-auth.js'

/** Stands for what a browser says of the page that sends a request. */
const FOREIGN = { 'x-test-foreign': 'yes' }
const ADDRESS = '203.0.113.5'

describe.each(DATABASES)('a page of another site in somebody’s browser, on $name', ({ open }) => {
  let auth: RunningAuth
  beforeAll(async () => {
    auth = await runAuth({
      open,
      auth: { isForeign: ({ headers }) => headers.has('x-test-foreign') },
    })
  })
  beforeEach(async () => {
    auth.clock.advance(61_000)
    await auth.db.exec('delete from auth.attempts')
  })
  afterAll(() => auth.close())

  const ask = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    (await auth.ask('POST', path, { body, headers, address: ADDRESS })).status
  const signIn = (email: string, password = PASSWORD, headers: Record<string, string> = {}) =>
    ask('/token?grant_type=password', { email, password }, headers)
  const foreign = (email: string, password: string) => signIn(email, password, FOREIGN)

  it('uses up none of the tries of an account', async () => {
    const { email } = await auth.newUser()
    expect(await signIn(email)).toBe(200)
    auth.clock.advance(61_000)
    for (let tries = 0; tries < 40; tries += 1) await foreign(email, 'wrong password')
    expect(await foreign(email, PASSWORD)).toBe(429)
    expect(await signIn(email, 'wrong password')).toBe(400)
    expect(await signIn(email)).toBe(200)
  })

  it('uses up none of the address, and of somebody who is new there as little', async () => {
    const { email } = await auth.newUser()
    for (let tries = 0; tries < 30; tries += 1) await foreign(`nobody-${tries}@example.com`, 'wrong password')
    for (let tries = 0; tries < 30; tries += 1) await foreign(email, 'wrong password')
    expect(await foreign('nobody@example.com', 'wrong password')).toBe(429)
    expect(await signIn('somebody@example.com', 'wrong password')).toBe(400)
    expect(await signIn(email)).toBe(200)
  })

  it('uses up none of the recovery mails that an address may ask for', async () => {
    const statuses: number[] = []
    for (let tries = 0; tries < 25; tries += 1)
      statuses.push(await ask('/recover', { email: `nobody-${tries}@example.com` }, FOREIGN))
    expect(statuses.at(-1)).toBe(429)
    const { email } = await auth.newUser()
    expect(await ask('/recover', { email })).toBe(200)
    await expect.poll(() => auth.mails.some(({ to }) => to === email)).toBe(true)
  })

  it('signs in as any other, and no account knows its place', async () => {
    const { email, id } = await auth.newUser()
    expect(await foreign(email, PASSWORD)).toBe(200)
    const { rows } = await auth.db.query(
      `select address from auth.known_addresses where user_id = $1
       union all select network from auth.known_networks where user_id = $1`,
      [id],
    )
    expect(rows).toEqual([])
  })
})
