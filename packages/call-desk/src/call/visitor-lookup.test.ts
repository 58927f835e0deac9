import { setImmediate as othersTurn } from 'node:timers/promises'
import { NoTurnError } from '@heyline/kit/waiting-line'
import { expect, it } from 'vitest'
import { clientAt } from './client-address.js'
import { LookupError, VisitorLookup } from './visitor-lookup.js'

/** Lookups that end one after the other, as each is told to. */
function open(atOnce?: number) {
  const begun: string[] = []
  const running: (() => void)[] = []
  const find = async (slug: string) => {
    begun.push(slug)
    await new Promise<void>((resolve) => running.push(resolve))
    return { slug }
  }
  const visitors = new VisitorLookup(find, { limitMs: 60_000, atOnce })
  const settled = async () => {
    for (let moment = 0; moment < 6; moment++) await othersTurn()
  }
  const endAll = async () => {
    for (await settled(); running.length > 0; await settled()) running.shift()?.()
  }
  return { visitors, begun, running, settled, endAll }
}

it('has few lookups at once, and somebody from elsewhere waits for one of each network of a flood', async () => {
  const { visitors, begun, running, settled, endAll } = open(2)
  const flood = Array.from({ length: 40 }, (_, n) =>
    visitors.find('acme', clientAt(`10.${n % 10}.0.${Math.floor(n / 10)}`)),
  )
  await settled()
  expect(running).toHaveLength(2)
  const honest = visitors.find('sample-bakery', clientAt('192.0.2.1'))
  const worker = visitors.find('sample-dentist')
  await endAll()
  expect(await honest).toEqual({ slug: 'sample-bakery' })
  expect(await worker).toEqual({ slug: 'sample-dentist' })
  expect(begun.indexOf('sample-bakery')).toBeLessThanOrEqual(12)
  expect(begun.indexOf('sample-dentist')).toBeLessThanOrEqual(13)
  expect(await Promise.all(flood)).toHaveLength(40)
})

it('refuses more of one address than it may have in line', async () => {
  const { visitors, endAll } = open(1)
  const asked = Array.from({ length: 6 }, () => visitors.find('acme', clientAt('192.0.2.1')))
  const results = Promise.allSettled(asked)
  await endAll()
  const refused = (await results).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toHaveLength(2)
  for (const error of refused) expect(error).toBeInstanceOf(NoTurnError)
})

it('looks up nobody for whom nobody waits any more', async () => {
  const { visitors, begun, settled, endAll } = open(1)
  const asked = ['a', 'b'].map((slug, n) => visitors.find(slug, clientAt(`10.${n}.0.1`)))
  const results = Promise.allSettled(asked)
  await settled()
  visitors.callOff()
  for (const result of await results)
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(LookupError) })
  await endAll()
  expect(begun).toEqual(['a'])
})

it('has no limit where visitors are hosted elsewhere', async () => {
  const { visitors, running, settled, endAll } = open()
  const asked = Array.from({ length: 40 }, () => visitors.find('acme', clientAt('192.0.2.1')))
  await settled()
  expect(running).toHaveLength(40)
  await endAll()
  await Promise.all(asked)
})
