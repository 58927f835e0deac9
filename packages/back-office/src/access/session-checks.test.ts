import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { AuthAdmin } from '../auth-wire/auth-admin.js'
import { SessionChecks } from './session-checks.js'

const ID = '00000000-0000-4000-8000-000000000001'

function checks(answer: () => Response) {
  const clock = new ManualClock(0)
  const asked: string[] = []
  const auth = new AuthAdmin({
    url: 'https://project.example/auth/v1',
    secretKey: 'sb_secret_of_the_test',
    fetch: async (input) => {
      asked.push(String(input))
      return answer()
    },
  })
  return { clock, asked, sessions: new SessionChecks(auth, clock) }
}
const there = () => Response.json({ id: ID, email: 'ada@example.com' })

it('asks once for all who want to know within ten seconds', async () => {
  const { clock, asked, sessions } = checks(there)
  await Promise.all([sessions.account('a'), sessions.account('a')])
  clock.advance(9_999)
  expect(await sessions.account('a')).toEqual({
    id: ID,
    email: 'ada@example.com',
    hasSecondFactor: false,
  })
  expect(asked).toEqual(['https://project.example/auth/v1/user'])
  clock.advance(1)
  await sessions.account('a')
  expect(asked).toHaveLength(2)
  await sessions.account('b')
  expect(asked).toHaveLength(3)
})

it('asks again for whoever wants to know it now, and then knows it', async () => {
  let now: () => Response = there
  const { asked, sessions } = checks(() => now())
  await sessions.account('a')
  now = () => Response.json({ code: 'session_not_found', message: 'gone' }, { status: 403 })
  expect(await sessions.account('a')).toMatchObject({ id: ID })
  await expect(sessions.account('a', { isFresh: true })).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(sessions.account('a')).rejects.toMatchObject({ code: 'unauthorized' })
  expect(asked).toHaveLength(3)
})

it.each([
  ['unauthorized', () => Response.json({ code: 'session_not_found', message: 'gone' }, { status: 403 })],
  ['unauthorized', () => Response.json({ code: 401, error_code: 'bad_jwt', msg: 'bad' }, { status: 401 })],
  ['accounts_unreachable', () => new Response('busy', { status: 503 })],
  [
    'accounts_unreachable',
    () => {
      throw new TypeError('fetch failed')
    },
  ],
] as const)('keeps no refusal: %s', async (code, answer) => {
  let now: () => Response = answer
  const { sessions } = checks(() => now())
  await expect(sessions.account('a')).rejects.toMatchObject({ code })
  now = there
  expect(await sessions.account('a')).toMatchObject({ id: ID })
})

it('knows a thousand sessions, and forgets the first', async () => {
  const { asked, sessions } = checks(there)
  for (let number = 0; number <= 1_000; number++) await sessions.account(`${number}`)
  await sessions.account('1000')
  expect(asked).toHaveLength(1_001)
  await sessions.account('0')
  expect(asked).toHaveLength(1_002)
})

it('asks as soon as ever after a clock was ahead', async () => {
  const { clock, asked, sessions } = checks(there)
  clock.step(86_400_000)
  await sessions.account('a')
  clock.step(-86_400_000)
  clock.advance(10_000)
  await sessions.account('a')
  expect(asked).toHaveLength(2)
})
