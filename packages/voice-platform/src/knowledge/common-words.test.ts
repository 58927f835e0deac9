import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { CommonWords } from './common-words.js'

it('knows the words of each set of files by itself', () => {
  const words = new CommonWords(new ManualClock(0))
  words.add('menus', ['pizza'])
  words.add('cars', ['wheel'])
  expect([words.has('menus', 'pizza'), words.has('cars', 'pizza'), words.has('none', 'pizza')]).toEqual([
    true,
    false,
    false,
  ])
})

it('forgets a word after ten minutes, unless it was common again', () => {
  const clock = new ManualClock(0)
  const words = new CommonWords(clock)
  words.add('menus', ['pizza', 'pasta'])
  clock.advance(300_000)
  words.add('menus', ['pasta'])
  clock.advance(300_000)
  expect(words.has('menus', 'pizza')).toBe(false)
  expect(words.has('menus', 'pasta')).toBe(true)
})

it('keeps 500 words of each of 100 sets at most', () => {
  const words = new CommonWords(new ManualClock(0))
  words.add(
    'menus',
    Array.from({ length: 501 }, (_, index) => `word${index}`),
  )
  expect(words.has('menus', 'word0')).toBe(false)
  expect(words.has('menus', 'word1')).toBe(true)
  for (let set = 0; set < 100; set += 1) words.add(`set${set}`, ['pizza'])
  expect(words.has('menus', 'word1')).toBe(false)
  expect(words.has('set0', 'pizza')).toBe(true)
})
