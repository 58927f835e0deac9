import { expect, it } from 'vitest'
import { roleChoices } from './roles.js'

it('offers no role above the own one, and the least first', () => {
  expect(roleChoices('owner').map(({ label }) => label)).toEqual(['Viewer', 'Editor', 'Owner'])
  expect(roleChoices('editor').map(({ value }) => value)).toEqual(['viewer', 'editor'])
  expect(roleChoices('viewer').map(({ value }) => value)).toEqual(['viewer'])
})
