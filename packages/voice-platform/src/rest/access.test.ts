import { newSecret } from '@heyline/kit/secret'
import { expect, it } from 'vitest'
import { settled } from '../testing/session-bench.js'
import { TokenStore } from '../tokens/token-store.js'
import { Doorkeeper } from './access.js'

const KEYS = { public: 'public-key', private: 'private-key' }

/** A doorkeeper whose database answers when it is told to. */
function doorkeeper() {
  const asked: (() => void)[] = []
  const rows: never[] = []
  const query = () => new Promise<{ rows: never[] }>((resolve) => asked.push(() => resolve({ rows })))
  const keeper = new Doorkeeper(KEYS, new TokenStore(Object.assign(Object.create(null), { query })))
  const statusOf = async (token: string, signal?: AbortSignal) => {
    const headers = { authorization: `Bearer ${token}` }
    const request = new Request('http://platform/call', { headers, signal: signal ?? null })
    return await keeper.admit(request, 'public').then(
      ({ access }) => access,
      (error: { status: number }) => error.status,
    )
  }
  return { asked, statusOf }
}

it('looks up only what may be a token of ours', async () => {
  const { asked, statusOf } = doorkeeper()
  for (const token of ['', 'x', 'x'.repeat(42), 'x'.repeat(44), '.'.repeat(43)])
    expect(await statusOf(token)).toBe(401)
  expect(asked).toHaveLength(0)
})

it('asks the database for one token at a time, refuses a crowd, and needs it for neither key', async () => {
  const { asked, statusOf } = doorkeeper()
  const answers = Array.from({ length: 150 }, () => statusOf(newSecret()))
  await settled()
  expect(asked).toHaveLength(1)
  expect(await Promise.all(answers.slice(101))).toEqual(Array.from({ length: 49 }, () => 503))
  expect(await statusOf(KEYS.private)).toBe('private')
  expect(await statusOf(KEYS.public)).toBe('public')
  for (let turn = 0; turn < 101; turn += 1) {
    asked[turn]?.()
    await settled()
  }
  expect(await Promise.all(answers.slice(0, 101))).toEqual(Array.from({ length: 101 }, () => 401))
})

it('looks no token up for whoever has cut his connection while he waited', async () => {
  const { asked, statusOf } = doorkeeper()
  const cut = new AbortController()
  const first = statusOf(newSecret())
  const others = Array.from({ length: 50 }, () => statusOf(newSecret(), cut.signal))
  await settled()
  cut.abort()
  asked[0]?.()
  expect(new Set(await Promise.all([first, ...others]))).toEqual(new Set([401]))
  expect(asked).toHaveLength(1)
})
