import { expect, it } from 'vitest'
import { callsSearch, safetySearch, visitorsSearch } from './search.js'

it('takes what an address says', () => {
  const said = { text: 'dental', sort: 'name', order: 'desc', page: 3 }
  expect(visitorsSearch(said)).toEqual(said)
})

it('leaves out what makes no sense', () => {
  const read = visitorsSearch({ text: 5, sort: 'password', order: ['asc'], page: -1, more: 'x' })
  expect(read).toEqual({})
})

it('takes no number for a part of an address of calls', () => {
  const said = { state: 'running', kind: 'web', outcome: 'no_answer', within: '7d', min: '30' }
  expect(callsSearch({ ...said, after: '+14155552671', number: '+14155552671' })).toEqual(said)
  expect(safetySearch({ part: 'spend', more: 1 })).toEqual({ part: 'spend' })
})
