import { expect, it } from 'vitest'
import { createChallengeTurns } from './challenge-turns.js'

/** Challenges that are made when they are told to be, and asked for by the address in the path. */
function setUp() {
  const making: { address: string | undefined; done: () => void }[] = []
  const ask = createChallengeTurns({
    addressOf: (request) => new URL(request.url).pathname.slice(1),
    humanCheck: {
      isToken: () => true,
      verify: async () => undefined,
      challenge: (_, address) =>
        new Promise((resolve) => making.push({ address, done: () => resolve(new Response('a challenge')) })),
    },
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { making, settled, from: (address: string) => ask(new Request(`http://demo.example/${address}`)) }
}

it('makes one for each network at a time, and two in all, whoever asks for how many', async () => {
  const { making, settled, from } = setUp()
  const flood = ['203.0.113.1', '203.0.113.2', '198.51.100.1', '192.0.2.1'].flatMap((address) =>
    [1, 2, 3].map(() => from(address)),
  )
  const honest = from('100.64.0.1')
  const addresses: (string | undefined)[] = []
  for (let made = 0; made < 13; made += 1) {
    await settled()
    expect(making.length).toBeLessThanOrEqual(2)
    const first = making.shift()
    addresses.push(first?.address)
    first?.done()
  }
  expect((await Promise.all([...flood, honest])).map(({ status }) => status)).toEqual(Array(13).fill(200))
  // Three networks came before.
  expect(addresses.indexOf('100.64.0.1')).toBe(3)
})

it('refuses an address that asks for more than it may wait for, and nobody else', async () => {
  const { making, settled, from } = setUp()
  const flood = Array.from({ length: 40 }, () => from('203.0.113.1'))
  const honest = from('203.0.113.2')
  let isOver = false
  void Promise.all([...flood, honest]).then(() => {
    isOver = true
  })
  for (; !isOver; await settled()) for (const { done } of making.splice(0)) done()
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect((await honest).status).toBe(200)
})

it('answers 404 where none are made', async () => {
  const ask = createChallengeTurns({})
  expect((await ask(new Request('http://demo.example/'))).status).toBe(404)
})
