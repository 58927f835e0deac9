import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it, vi } from 'vitest'
import { readClientMessage } from './client-message.js'
import { WordsBudget } from './words-budget.js'

const setUp = () => {
  const clock = new ManualClock()
  const budget = new WordsBudget(clock)
  const allows = (message: { type: string; [field: string]: unknown }) => {
    const known = readClientMessage(message)
    return known ? budget.allows(known) : undefined
  }
  return { clock, allows }
}
const say = (message: string) => ({ type: 'say', message })
const add = (content: string) => ({ type: 'add-message', message: { role: 'user', content } })

it('lets five turns be said or added at once, and another one every ten seconds', () => {
  const { clock, allows } = setUp()
  const turns = [
    say('One.'),
    add('Two.'),
    { type: 'control', control: 'say-first-message' },
    say('4'),
    add('5'),
  ]
  expect(turns.map(allows)).toEqual([true, true, true, true, true])
  expect(allows(say('Six.'))).toBe(false)
  clock.advance(10_000)
  expect(allows(add('Six.'))).toBe(true)
  expect(allows(say('Seven.'))).toBe(false)
})

it('lets 2,000 characters be said or added at once, and 20 more each second', () => {
  const { clock, allows } = setUp()
  expect(allows(say(`${'ba'.repeat(1_000)}!`))).toBe(false)
  expect(allows(add('x'.repeat(2_000)))).toBe(true)
  clock.advance(10_000)
  expect(allows(say(`${'ba'.repeat(100)}!`))).toBe(false)
  expect(allows(say('ba'.repeat(100)))).toBe(true)
})

it('counts what is said by how long it sounds, and what is only read by its length', () => {
  const { allows } = setUp()
  expect(allows(add('1977 '.repeat(100)))).toBe(true)
  expect(allows(say('1977 '.repeat(40)))).toBe(false)
  expect(allows(say('1977 '.repeat(30)))).toBe(true)
})

it('costs nothing to mute, to end the call or to hang up', () => {
  const { allows } = setUp()
  for (let turn = 0; turn < 100; turn += 1)
    for (const message of [
      { type: 'control', control: 'mute-customer' },
      { type: 'hangup' },
      { type: 'end-call' },
    ])
      expect(allows(message)).toBe(true)
})

it('looks at no text that is refused for its length or its turn', () => {
  const { clock, allows } = setUp()
  const normalize = vi.spyOn(String.prototype, 'normalize')
  // Longer than what may be said at once, five times, and then without a turn left.
  const answers = Array.from({ length: 20 }, () => allows(say('ﷺ'.repeat(9_500))))
  answers.push(allows(say('Short.')))
  const looks = normalize.mock.calls.length
  normalize.mockRestore()
  expect(answers).toEqual(Array(21).fill(false))
  expect(looks).toBe(0)
  clock.advance(10_000)
  expect(allows(say('ﷺ'.repeat(112)))).toBe(false)
  clock.advance(10_000)
  expect(allows(say('ﷺ'.repeat(111)))).toBe(true)
})
