import { describe, expect, it } from 'vitest'
import { isOfOwnPages } from './own-pages.js'

const OWN = ['http://localhost:3000', 'http://127.0.0.1:3000']
const URL_OF_IT = 'http://localhost:3000/-/office/visitors'
const CHANGES = ['POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']
const READINGS = ['GET', 'HEAD']

const ORIGINS = {
  own: 'http://localhost:3000',
  'another name of ours': 'http://127.0.0.1:3000',
  'another port': 'http://localhost:3001',
  'another scheme': 'https://localhost:3000',
  'another site': 'https://evil.example',
  'a site that begins as ours': 'http://localhost:3000.evil.example',
  'an unnamed one': 'null',
  missing: undefined,
}
const OURS = ['own', 'another name of ours']
const SITES = ['same-origin', 'same-site', 'cross-site', 'none', 'nonsense', undefined]

describe.each([...CHANGES, ...READINGS])('%s', (method) => {
  describe.each(Object.entries(ORIGINS))('with an origin that is %s', (name, origin) => {
    it.each(SITES)('and Sec-Fetch-Site %s', (site) => {
      const headers = new Headers()
      if (origin !== undefined) headers.set('origin', origin)
      if (site !== undefined) headers.set('sec-fetch-site', site)
      const isOwn = READINGS.includes(method)
        ? [undefined, 'same-origin', 'none'].includes(site)
        : OURS.includes(name) && [undefined, 'same-origin'].includes(site)
      expect(isOfOwnPages(new Request(URL_OF_IT, { method, headers }), OWN)).toBe(isOwn)
    })
  })
})
