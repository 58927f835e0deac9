import { expect, it } from 'vitest'
import { placeOf } from '../wire/networks.js'
import { Turns } from './turns.js'

/** Takes its turn in `begun` and then a moment. */
const takesOne = (turns: Turns, begun: string[]) => (address: string) =>
  turns.run(placeOf(address), async () => {
    begun.push(address)
    await new Promise((resolve) => setImmediate(resolve))
  })

it('lets one stranger in at a time, five of his address wait, and the rest hears when to come again', async () => {
  const turns = new Turns()
  let now = 0
  let most = 0
  const asked = Array.from({ length: 7 }, () =>
    turns.run(placeOf('192.0.2.1'), async () => {
      most = Math.max(most, ++now)
      await Promise.resolve()
      now -= 1
    }),
  )
  await expect(asked[6]).rejects.toMatchObject({
    status: 429,
    code: 'over_request_rate_limit',
    headers: { 'retry-after': '1' },
  })
  await Promise.all(asked.slice(0, 6))
  expect(most).toBe(1)
})

it('lets somebody from another network in after one of each of seven that flood', async () => {
  const begun: string[] = []
  const take = takesOne(new Turns(), begun)
  const flood = Array.from({ length: 98 }, (_, place) =>
    take(`10.0.${place % 7}.${1 + Math.floor(place / 14)}`),
  )
  const refused = Promise.allSettled(flood)
  await take('192.0.2.1')
  expect(begun.indexOf('192.0.2.1')).toBe(7)
  await refused
})

it('takes a /48 of IPv6 for one network', async () => {
  const begun: string[] = []
  const take = takesOne(new Turns(), begun)
  const flood = Array.from({ length: 8 }, (_, place) => take(`2001:db8:0:${place}::1`))
  await take('2001:db8:1::1')
  expect(begun.indexOf('2001:db8:1::1')).toBe(1)
  await Promise.all(flood)
})

it('passes on what fails', async () => {
  const broken = new Turns().run(placeOf('192.0.2.1'), () => Promise.reject(new Error('broken')))
  await expect(broken).rejects.toThrow('broken')
})

it('lets nobody in before a turn has ended that lasts longer than its answer', async () => {
  const turns = new Turns()
  const begun: string[] = []
  const leave = await turns.enter(placeOf('192.0.2.1'))
  const asked = Array.from({ length: 7 }, (_, place) =>
    turns.run(placeOf('198.51.100.1'), async () => void begun.push(`${place}`)),
  )
  const [refused] = await Promise.allSettled(asked.slice(6))
  expect(refused).toMatchObject({ reason: { status: 429, code: 'over_request_rate_limit' } })
  expect(begun).toEqual([])
  leave()
  await Promise.all(asked.slice(0, 6))
  expect(begun).toHaveLength(6)
})
