import { expect, it } from 'vitest'
import { matching } from './matching.js'

const ENTRIES = [{ label: 'Pause calls' }, { label: 'Calls' }, { label: 'Your account' }]
const labels = (text: string) => matching(ENTRIES, text).map(({ label }) => label)

it('finds what has a word beginning with each word of the text', () => {
  expect(labels('call')).toEqual(['Pause calls', 'Calls'])
  expect(labels('CA pa')).toEqual(['Pause calls'])
  expect(labels('alls')).toEqual([])
  expect(labels(' ')).toHaveLength(3)
})
