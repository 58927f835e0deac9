import { eachOperation } from '@heyline/back-office/operations'
import { expect, it } from 'vitest'
import { ACTIONS } from './texts.js'

it('has words for everything that an operation writes into the audit', () => {
  const written = eachOperation().flatMap(({ operation }) => operation.audit ?? [])
  expect(written.filter((action) => ACTIONS[action] === undefined)).toEqual([])
})
