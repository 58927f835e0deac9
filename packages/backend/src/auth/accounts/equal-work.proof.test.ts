import { openTestDb } from '@heyline/database/testing'
import * as argon2 from '@node-rs/argon2'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { PASSWORD, type RunningAuth, runAuth } from '../../testing/running-auth.js'

vi.mock('@node-rs/argon2', async (load) => {
  const real = await load<typeof argon2>()
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) }
})

let auth: RunningAuth
beforeAll(async () => {
  auth = await runAuth({ open: openTestDb })
  // The hash that stands in for an account that is not there is made once.
  await auth.browser().auth.signInWithPassword({ email: 'first@example.com', password: PASSWORD })
})
afterAll(() => auth.close())

/** What one sign-in costs, and what it says. */
async function signIn(email: string, password: string) {
  const [hashes, checks] = [
    vi.mocked(argon2.hash).mock.calls.length,
    vi.mocked(argon2.verify).mock.calls.length,
  ]
  const answer = await auth.ask('POST', '/token?grant_type=password', { body: { email, password } })
  return {
    hashes: vi.mocked(argon2.hash).mock.calls.length - hashes,
    checks: vi.mocked(argon2.verify).mock.calls.length - checks,
    cost: String(vi.mocked(argon2.verify).mock.lastCall?.[0]).split('$').slice(1, 4).join('$'),
    status: answer.status,
    body: await answer.text(),
    headers: [...answer.headers].filter(([name]) => name !== 'date'),
  }
}

it('a sign-in does the same work, and says the same, whether there is an account or not', async () => {
  const { email } = await auth.newUser()
  const { email: banned, id } = await auth.newUser()
  await auth.admin.auth.admin.updateUserById(id, { ban_duration: '1h' })
  const { data } = await auth.admin.auth.admin.generateLink({ type: 'invite', email: 'invited@example.com' })
  expect(data.user?.email).toBe('invited@example.com')

  const known = await signIn(email, 'wrong password')
  expect(known).toMatchObject({ hashes: 0, checks: 1, cost: 'argon2id$v=19$m=19456,t=2,p=1', status: 400 })
  for (const name of ['nobody@example.com', banned, 'invited@example.com'])
    expect(await signIn(name, 'wrong password')).toEqual(known)
})

it('a sign-in that has to wait costs no hash', async () => {
  for (let tries = 0; tries < 4; tries += 1) await signIn('somebody@example.com', 'wrong password')
  expect(await signIn('somebody@example.com', 'wrong password')).toMatchObject({ checks: 1, status: 400 })
  expect(await signIn('somebody@example.com', 'wrong password')).toMatchObject({
    checks: 0,
    hashes: 0,
    status: 429,
  })
})

it('one runs at a time, a short line waits, and the rest hears 429', async () => {
  let running = 0
  let most = 0
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  vi.mocked(argon2.verify).mockImplementation(async () => {
    most = Math.max(most, ++running)
    await opened
    running -= 1
    return false
  })
  let refused = 0
  const tries = Array.from({ length: 130 }, async (_, place) => {
    const answer = await auth.ask('POST', '/token?grant_type=password', {
      body: { email: `user-${place}@example.net`, password: 'wrong password' },
      address: `198.51.${place}.1`,
    })
    if (answer.status === 429) refused += 1
    // Those that wait hold the line until the rest was refused.
    if (refused === 130 - 1 - 100) open()
    return answer.status
  })
  const statuses = await Promise.all(tries)
  expect(most).toBe(1)
  expect(new Set(statuses)).toEqual(new Set([400, 429]))
})

it('whoever comes from a network that was there before waits for no stranger', async () => {
  const { email } = await auth.newUser()
  const signedIn = (address: string, password = PASSWORD) =>
    auth.ask('POST', '/token?grant_type=password', { body: { email, password }, address })
  vi.mocked(argon2.verify).mockResolvedValueOnce(true)
  expect((await signedIn('203.0.113.1')).status).toBe(200)
  auth.clock.advance(60_000)
  let open: () => void = () => undefined
  const opened = new Promise<boolean>((resolve) => {
    open = () => resolve(false)
  })
  vi.mocked(argon2.verify).mockImplementationOnce(() => opened)
  const strangers = Array.from({ length: 70 }, (_, place) => signedIn(`198.51.${place}.1`, 'wrong password'))
  await vi.waitFor(() => expect(argon2.verify).toHaveReturnedWith(opened))
  vi.mocked(argon2.verify).mockResolvedValueOnce(true)
  expect((await signedIn('203.0.113.2')).status).toBe(200)
  vi.mocked(argon2.verify).mockResolvedValue(false)
  open()
  expect((await Promise.all(strangers)).filter(({ status }) => status === 200)).toEqual([])
})
