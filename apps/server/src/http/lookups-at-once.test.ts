import { beforeEach, expect, it } from 'vitest'
import { LookupsAtOnce } from './lookups-at-once.js'

let lookups: LookupsAtOnce
let begun: number
let ends: (() => void)[]

beforeEach(() => {
  lookups = new LookupsAtOnce(2)
  begun = 0
  ends = []
})

const slow = (key: string, signal?: AbortSignal) =>
  lookups.run(
    key,
    async () => {
      begun++
      await new Promise<void>((resolve) => ends.push(resolve))
    },
    { signal },
  )

/** Lets what is due now run. A lookup that waited for another begins a moment after its end. */
async function settled() {
  for (let moment = 0; moment < 2; moment++) await new Promise<void>((resolve) => setImmediate(resolve))
}

it('runs only so many lookups of one client at once, and any of another', async () => {
  const first = [slow('one'), slow('one'), slow('one'), slow('another')]
  await settled()
  expect(begun).toBe(3)
  for (const end of ends.splice(0)) end()
  await settled()
  expect(begun).toBe(4)
  for (const end of ends.splice(0)) end()
  await Promise.all(first)
})

it('gives no place to a lookup for which nobody waits any more', async () => {
  const given = new AbortController()
  const first = [slow('one'), slow('one')]
  const gone = slow('one', given.signal)
  const last = slow('one')
  await settled()
  expect(begun).toBe(2)
  given.abort(new Error('gone'))
  await expect(gone).rejects.toThrow('gone')
  ends.shift()?.()
  await settled()
  expect(begun).toBe(3)
  for (const end of ends.splice(0)) end()
  await Promise.all([...first, last])
  expect(begun).toBe(3)
})

it('goes on after a lookup that rejects', async () => {
  const away = () => lookups.run('one', () => Promise.reject(new Error('away')))
  for (const lookup of [away(), away(), away()]) await expect(lookup).rejects.toThrow('away')
})
