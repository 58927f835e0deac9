import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { AuthError } from '../wire/auth-error.js'
import { placeOf } from '../wire/networks.js'
import { SessionTurns } from './session-turns.js'

interface Asks {
  user?: string
  session: string
  aal?: 'aal1' | 'aal2'
  address?: string
}

const settled = async () => {
  for (let tick = 0; tick < 50; tick++) await Promise.resolve()
}

const badToken = () => new AuthError(403, 'bad_jwt', 'invalid JWT')

/** Turns whose requests say by headers who sends them, and whose work ends when it is told to. */
function opened(kind: Db['kind'] = 'pglite') {
  const clock = new ManualClock()
  const holders = {
    claimsOf: async ({ headers }: Request) => {
      const [sub, session_id, aal] = [headers.get('sub'), headers.get('session'), headers.get('aal')]
      if (!sub || !session_id) throw badToken()
      return { sub, session_id, aal }
    },
    refreshes: (token: string) => {
      if (token === '') throw badToken()
      return token
    },
  }
  const turns = new SessionTurns({ kind, holders, clock })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const workOf = (name: string) => async () => {
    begun.push(name)
    await new Promise<void>((resolve) => ends.push(resolve))
  }
  const requestOf = ({ user = 'ann', session, aal = 'aal2' }: Asks) =>
    new Request('https://heyline.example', { headers: { sub: user, session, aal } })
  /** A request, refused or not. */
  const ask = (asks: Asks) =>
    turns
      .run({ request: requestOf(asks), place: placeOf(asks.address ?? '192.0.2.1') }, workOf(asks.session))
      .catch((error: unknown) => error)
  const refresh = (session: string, address = '192.0.2.1') =>
    turns.refresh(session, placeOf(address), workOf(session)).catch((error: unknown) => error)
  /** Ends what is under way, again and again, until nothing is. */
  const endAll = async () => {
    await settled()
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end()
      await settled()
    }
  }
  /** Has what is under way take so many ms. */
  const end = async (ms: number) => {
    await settled()
    clock.advance(ms)
    for (const one of ends.splice(0)) one()
    await settled()
  }
  return { clock, begun, ask, refresh, end, endAll }
}

const list = <Item>(length: number, item: (place: number) => Item) =>
  Array.from({ length }, (_, place) => item(place))

/** An address of its own, in one of so many networks. */
const addressOf = (place: number, networks = 4) =>
  `10.0.${place % networks}.${1 + Math.floor(place / networks)}`

it.each([
  ['pglite', 1],
  ['postgres', 3],
] as const)('lets through on %s %i of all at once, and of one session one', async (kind, atOnce) => {
  const { begun, ask, refresh, endAll } = opened(kind)
  const own = list(10, (place) => ask({ session: 'own', address: addressOf(place) }))
  await settled()
  expect(begun).toEqual(['own'])
  const others = list(5, (place) => ask({ user: `user ${place}`, session: `${place}` }))
  const refreshing = list(5, (place) => refresh(`refreshed ${place}`, addressOf(place)))
  await settled()
  expect(begun).toHaveLength(atOnce)
  await endAll()
  expect(await Promise.all([...own, ...others, ...refreshing])).toEqual(list(20, () => undefined))
})

it('lets a hundred of a session wait, from wherever they come, and tells the others when to come again', async () => {
  const { begun, ask, endAll } = opened()
  const flood = list(250, (place) => ask({ session: 'own', address: addressOf(place) }))
  await settled()
  await endAll()
  const refused = (await Promise.all(flood)).filter((answer) => answer !== undefined)
  expect(begun).toHaveLength(101)
  expect(refused).toHaveLength(149)
  expect(refused[0]).toMatchObject({
    status: 429,
    code: 'over_request_rate_limit',
    message: 'Too many requests at the same time. Try again in a moment.',
    headers: { 'retry-after': '1' },
  })
})

it('lets another account in after the one whose turn it is, behind whatever address', async () => {
  const { begun, ask, endAll } = opened()
  const flood = list(250, (place) => ask({ session: `${place % 50}`, address: addressOf(place) }))
  await settled()
  const other = ask({ user: 'ben', session: 'other', address: addressOf(0) })
  await endAll()
  expect(await other).toBeUndefined()
  expect(begun.indexOf('other')).toBeLessThan(3)
  await Promise.all(flood)
})

it('has an owner wait for nobody who has the password alone', async () => {
  const { begun, ask, endAll } = opened()
  const flood = list(2_000, (place) =>
    ask({ session: `${place}`, aal: 'aal1', address: addressOf(place, 200) }),
  )
  await settled()
  const owner = ask({ session: 'own', address: addressOf(0) })
  await endAll()
  expect(await owner).toBeUndefined()
  expect(begun.indexOf('own')).toBeLessThan(3)
  await Promise.all(flood)
})

it('has an owner who is about to give the code wait for one of each network that has the password', async () => {
  const { begun, ask, endAll } = opened()
  const flood = list(400, (place) => ask({ session: `${place}`, aal: 'aal1', address: addressOf(place) }))
  await settled()
  const owner = ask({ session: 'own', aal: 'aal1', address: '192.0.2.1' })
  await endAll()
  expect(await owner).toBeUndefined()
  expect(begun.indexOf('own')).toBeLessThan(6)
  await Promise.all(flood)
})

it('refuses nobody of an office behind one address', async () => {
  const { ask, refresh, endAll } = opened()
  const asked = list(50, (place) => [
    refresh(`${place}`),
    ...list(5, () => ask({ user: `user ${place}`, session: `${place}` })),
  ]).flat()
  await endAll()
  expect(await Promise.all(asked)).toEqual(list(300, () => undefined))
})

it('lets a refresh from another network in after one of each that flood', async () => {
  const { begun, refresh, endAll } = opened()
  const flood = list(400, (place) => refresh(`${place}`, addressOf(place)))
  await settled()
  const other = refresh('other', '192.0.2.1')
  await endAll()
  expect(await other).toBeUndefined()
  expect(begun.indexOf('other')).toBeLessThan(6)
  await Promise.all(flood)
})

it('has a refresh wait for nothing else that its own session asks', async () => {
  const { begun, ask, refresh, endAll } = opened()
  const flood = list(250, () => ask({ session: 'own' }))
  await settled()
  const refreshed = refresh('own')
  await endAll()
  expect(await refreshed).toBeUndefined()
  expect(begun).toHaveLength(102)
  await Promise.all(flood)
})

it('gives no place to a token that does not hold', async () => {
  const { begun, ask, refresh, endAll } = opened()
  const made = list(500, () => [ask({ session: '' }), refresh('')]).flat()
  const real = ask({ session: 'own' })
  await endAll()
  expect(await real).toBeUndefined()
  for (const refused of await Promise.all(made)) expect(refused).toMatchObject({ code: 'bad_jwt' })
  expect(begun).toEqual(['own'])
})

it('has an account rest that kept the one session busy, and no other and no refresh', async () => {
  const { clock, begun, ask, refresh, end, endAll } = opened()
  const slow = ask({ session: 'own' })
  await end(2_100)
  await slow
  const again = ask({ session: 'own' })
  const others = [ask({ user: 'ben', session: 'other' }), refresh('refreshed')]
  await endAll()
  await Promise.all(others)
  expect([...begun].sort()).toEqual(['other', 'own', 'refreshed'])
  clock.advance(399)
  await settled()
  expect(begun).toHaveLength(3)
  clock.advance(1)
  await endAll()
  expect(await again).toBeUndefined()
  expect(clock.pending).toBe(0)
})

it('has a session rest that is refreshed without end, and none of its address', async () => {
  const { clock, begun, refresh, end, endAll } = opened()
  const slow = refresh('own')
  await end(60_000)
  await slow
  const again = refresh('own')
  const other = refresh('other')
  await endAll()
  expect(await other).toBeUndefined()
  expect(begun).toEqual(['own', 'other'])
  clock.advance(1_500)
  await endAll()
  expect(await again).toBeUndefined()
})
