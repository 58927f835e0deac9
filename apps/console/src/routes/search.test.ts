import { expect, it } from 'vitest'
import { visitorsSearch } from './search.js'

it('takes what an address says', () => {
  const said = { text: 'dental', sort: 'name', order: 'desc', page: 3 }
  expect(visitorsSearch(said)).toEqual(said)
})

it('leaves out what makes no sense', () => {
  const read = visitorsSearch({ text: 5, sort: 'password', order: ['asc'], page: -1, more: 'x' })
  expect(read).toEqual({})
})
