import { expect, it } from 'vitest'
import { namedSlug } from './slug-header.js'

it.each([
  ['acme', 'acme'],
  ['m%C3%BCnchen', 'münchen'],
  ['%2541', '%41'],
  ['a b', 'a b'],
  ['100%', '100%'],
  ['%ff', '%ff'],
  ['a%00b', 'a%00b'],
])('reads the header %j as the slug %j', (header, slug) => {
  expect(namedSlug(new Request('http://localhost', { headers: { 'x-visitor-slug': header } }))).toBe(slug)
})

it('knows no slug of a request that names none', () => {
  expect(namedSlug(new Request('http://localhost'))).toBeUndefined()
  expect(namedSlug(new Request('http://localhost', { headers: { 'x-visitor-slug': '' } }))).toBeUndefined()
})
