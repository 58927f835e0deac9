import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, expect, it } from 'vitest'
import { KnownSlugs } from './known-slugs.js'

let clock: ManualClock
let stored: Set<string>
let asked: string[]
let slugs: KnownSlugs

beforeEach(() => {
  clock = new ManualClock()
  stored = new Set(['ada'])
  asked = []
  slugs = new KnownSlugs(async (slug) => {
    asked.push(slug)
    return stored.has(slug)
  }, clock)
})

it('asks once for a slug that is there, and again after five seconds', async () => {
  for (let time = 0; time < 10; time++) expect(await slugs.has('ada')).toBe(true)
  expect(asked).toEqual(['ada'])
  stored.delete('ada')
  clock.advance(5_000)
  expect(await slugs.has('ada')).toBe(false)
})

it('asks each time for one that is not there, so that a new visitor is found at once', async () => {
  expect(await slugs.has('bob')).toBe(false)
  stored.add('bob')
  expect(await slugs.has('bob')).toBe(true)
})

it('remembers a thousand', async () => {
  for (let place = 0; place <= 1_000; place++) {
    stored.add(`visitor-${place}`)
    await slugs.has(`visitor-${place}`)
  }
  asked.length = 0
  await slugs.has('visitor-1000')
  await slugs.has('visitor-0')
  expect(asked).toEqual(['visitor-0'])
})
