import { ManualClock } from '@heyline/kit/manual-clock'
import { newSecret } from '@heyline/kit/secret'
import { expect, it } from 'vitest'
import { settled } from '../testing/session-bench.js'
import type { TokenRights } from '../tokens/token-rights.js'
import { TokenStore } from '../tokens/token-store.js'
import { Doorkeeper } from './access.js'

const KEYS = { public: 'public-key', private: 'private-key' }
const PUBLIC: TokenRights = { tag: 'public', restrictions: null }

/** A doorkeeper whose database answers when it is told to. */
function doorkeeper() {
  const asked: ((rights?: TokenRights) => void)[] = []
  const query = () =>
    new Promise((resolve) => asked.push((rights) => resolve({ rows: rights ? [rights] : [] })))
  const clock = new ManualClock()
  const tokens = new TokenStore(Object.assign(Object.create(null), { query }), clock)
  const keeper = new Doorkeeper(KEYS, tokens, ({ headers }) => {
    const address = headers.get('x-from') ?? ''
    return { address, network: address.slice(0, address.lastIndexOf('.')) }
  })
  const statusOf = async (token: string, { from = '10.1.1.1', signal = null as AbortSignal | null } = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'x-from': from }
    const request = new Request('http://platform/call', { headers, signal })
    return await keeper.admit(request, 'public').then(
      ({ access }) => access,
      (error: { status: number }) => error.status,
    )
  }
  /** Answers what was asked, and what is asked then, so many times. */
  const answerAll = async (times: number) => {
    for (let turn = 0; turn < times; turn += 1) {
      await settled()
      asked[turn]?.()
    }
  }
  return { asked, answerAll, clock, statusOf, tokens }
}

it('looks up only what may be a token of ours', async () => {
  const { asked, statusOf } = doorkeeper()
  for (const token of ['', 'x', 'x'.repeat(42), 'x'.repeat(44), '.'.repeat(43)])
    expect(await statusOf(token)).toBe(401)
  expect(asked).toHaveLength(0)
})

it('asks the database for one token at a time, refuses a crowd, and needs it for neither key', async () => {
  const { asked, answerAll, statusOf } = doorkeeper()
  const answers = Array.from({ length: 150 }, () => statusOf(newSecret()))
  await settled()
  expect(asked).toHaveLength(1)
  expect(await Promise.all(answers.slice(101))).toEqual(Array.from({ length: 49 }, () => 503))
  expect(await statusOf(KEYS.private)).toBe('private')
  expect(await statusOf(KEYS.public)).toBe('public')
  await answerAll(101)
  expect(await Promise.all(answers.slice(0, 101))).toEqual(Array.from({ length: 101 }, () => 401))
})

it('looks up the token of somebody from another network after one of each network that makes them up', async () => {
  const { asked, answerAll, statusOf } = doorkeeper()
  for (const from of ['10.1.1.1', '10.1.1.2', '10.2.2.1'])
    for (let made = 0; made < 90; made += 1) void statusOf(newSecret(), { from })
  const answer = statusOf(newSecret(), { from: '10.3.3.3' })
  await answerAll(2)
  await settled()
  asked[2]?.(PUBLIC)
  expect(await answer).toBe('public')
})

it('looks no token up for whoever has cut his connection while he waited', async () => {
  const { asked, statusOf } = doorkeeper()
  const cut = new AbortController()
  const first = statusOf(newSecret())
  const others = Array.from({ length: 50 }, () => statusOf(newSecret(), { signal: cut.signal }))
  await settled()
  cut.abort()
  asked[0]?.()
  expect(new Set(await Promise.all([first, ...others]))).toEqual(new Set([401]))
  expect(asked).toHaveLength(1)
})

it('remembers a token that it found for five seconds, and none that it did not', async () => {
  const { asked, clock, statusOf } = doorkeeper()
  const [token, other] = [newSecret(), newSecret()]
  const first = statusOf(token)
  await settled()
  asked[0]?.(PUBLIC)
  expect(await first).toBe('public')
  clock.advance(4_999)
  expect(await statusOf(token)).toBe('public')
  expect(asked).toHaveLength(1)
  clock.advance(1)
  for (const [place, asks] of [token, other, other].entries()) {
    const again = statusOf(asks)
    await settled()
    asked[1 + place]?.()
    expect(await again).toBe(401)
  }
  expect(asked).toHaveLength(4)
})

it.each([
  ['changed', (tokens: TokenStore) => tokens.update('id', {})],
  ['deleted', (tokens: TokenStore) => tokens.delete('id')],
])('forgets what it knew before a token was %s, also what is being looked up', async (_, change) => {
  const { asked, statusOf, tokens } = doorkeeper()
  const [found, sought] = [newSecret(), newSecret()]
  const first = statusOf(found)
  await settled()
  asked[0]?.(PUBLIC)
  await first
  const second = statusOf(sought)
  await settled()
  const changed = change(tokens)
  asked[2]?.()
  await changed
  asked[1]?.(PUBLIC)
  await second
  const statuses = [found, sought].map((token) => statusOf(token, { from: `10.${token}.1.1` }))
  for (const place of [3, 4]) {
    await settled()
    asked[place]?.()
  }
  expect(await Promise.all(statuses)).toEqual([401, 401])
})
