import { expect, it } from 'vitest'
import { eachOperation } from '../operations/operations.js'
import { CHANGED, officeNews } from './office-news.js'

it('tells the audit of every line, and what else it changed', () => {
  const told = (action: string) => officeNews.eventsOf(action).map(({ event }) => event)
  expect(told('visitor_added')).toEqual(['visitors', 'audit'])
  expect(told('operator_removed')).toEqual(['operators', 'audit'])
  expect(told('keys_shown')).toEqual(['audit'])
  expect(told('ticket_removed')).toEqual(['tickets', 'audit'])
})

it('knows every operation that changes visitors', () => {
  const changing = [...eachOperation()].flatMap(({ noun, operation: { audit, method, reads } }) =>
    noun === 'visitors' && audit && !reads && method !== 'GET' ? [audit] : [],
  )
  expect(changing.length).toBeGreaterThan(5)
  expect(changing.filter((action) => CHANGED[action] !== 'visitors')).toEqual([])
})
