import { openTestDb } from '@heyline/database/testing'
import * as argon2 from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { PASSWORD, type RunningAuth, runAuth } from '../../testing/running-auth.js'

vi.mock('@node-rs/argon2', async (load) => {
  const real = await load<typeof argon2>()
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) }
})

let auth: RunningAuth
let real: typeof argon2
beforeAll(async () => {
  auth = await runAuth({ open: openTestDb })
  real = await vi.importActual('@node-rs/argon2')
})
beforeEach(() => {
  vi.mocked(argon2.hash).mockImplementation(real.hash)
  vi.mocked(argon2.verify).mockImplementation(real.verify)
})
afterAll(() => auth.close())

const signIn = (email: string, address: string) =>
  auth.ask('POST', '/token?grant_type=password', { body: { email, password: PASSWORD }, address })
const change = (token: string, password = PASSWORD) =>
  auth.ask('PUT', '/user', { token, body: { password }, address: '198.51.100.9' })

it('whoever chooses a password again and again keeps nobody from signing in', async () => {
  const { session } = await auth.signedIn()
  const { email } = await auth.newUser()
  expect((await signIn(email, '203.0.113.5')).status).toBe(200)
  const { rows } = await auth.db.query<{ hash: string }>(
    'select encrypted_password as hash from auth.users where email = $1',
    [session.user.email],
  )
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let running = 0
  let most = 0
  /** Of whoever chooses: it takes its time. */
  const slow = async <Value>(value: Value): Promise<Value> => {
    most = Math.max(most, ++running)
    await opened
    running -= 1
    return value
  }
  vi.mocked(argon2.hash).mockImplementation(() => slow('a hash'))
  vi.mocked(argon2.verify).mockImplementation((hash) =>
    hash === rows[0]?.hash ? slow(true) : Promise.resolve(true),
  )
  const statuses: number[] = []
  const flood = Array.from({ length: 24 }, async () => {
    statuses.push((await change(session.access_token)).status)
  })
  // One works and two wait; whatever is refused has been refused then.
  await vi.waitFor(() => expect(statuses.length).toBeGreaterThanOrEqual(6))
  const owner = [await signIn(email, '203.0.113.5'), await signIn(email, '203.0.113.5')]
  open()
  await Promise.all(flood)
  expect(owner.map(({ status }) => status)).toEqual([200, 200])
  expect(most).toBe(1)
  expect(new Set(statuses)).toEqual(new Set([422, 429]))
})

it('a session may choose ten times, and then once a minute', async () => {
  const { session } = await auth.signedIn()
  const tries = async (count: number) => {
    const found: number[] = []
    for (let tried = 0; tried < count; tried += 1) found.push((await change(session.access_token)).status)
    return found
  }
  expect(await tries(10)).toEqual(Array(10).fill(422))
  const refused = await change(session.access_token)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await refused.json()).toMatchObject({ error_code: 'over_request_rate_limit' })
  auth.clock.advance(60_000)
  expect(await tries(1)).toEqual([422])
  expect((await change(session.access_token)).status).toBe(429)
  // Another session of the same account is not held up by it.
  const other = await auth.browser().auth.signInWithPassword({
    email: session.user.email ?? '',
    password: PASSWORD,
  })
  expect((await change(other.data.session?.access_token ?? '')).status).toBe(422)
})

it('a password that could not be looked at is no wrong one', async () => {
  const { email } = await auth.newUser()
  for (let tries = 0; tries < 30; tries += 1) {
    vi.mocked(argon2.verify).mockRejectedValueOnce(new Error('no memory'))
    expect((await signIn(email, '203.0.114.5')).status).toBe(500)
  }
  expect((await signIn(email, '203.0.114.5')).status).toBe(200)
})

it('a new password that could not be made is no try', async () => {
  const { session } = await auth.signedIn()
  for (let tries = 0; tries < 12; tries += 1) {
    vi.mocked(argon2.verify).mockRejectedValueOnce(new Error('no memory'))
    expect((await change(session.access_token)).status).toBe(500)
  }
  expect((await change(session.access_token, 'another password')).status).toBe(200)
})
