import { expect, it } from 'vitest'
import { sharingOf } from './sharing.js'

const publicUrl = 'https://demo.example'
const of = (slug: string, version?: string) =>
  sharingOf({ visitor: { slug, name: 'Ada' }, publicUrl, defaultSlug: 'default', version })

it('names the page and its picture by absolute addresses', () => {
  expect(of('Ada', 'x1')).toEqual({
    url: 'https://demo.example/Ada',
    image: 'https://demo.example/-/previews/Ada.png?v=x1',
  })
})

it('takes the empty path for the default slug', () => {
  expect(of('default', 'x1')).toEqual({
    url: 'https://demo.example/',
    image: 'https://demo.example/-/previews/default.png?v=x1',
  })
})

it('encodes what a hosted table may hold', () => {
  expect(of('a/b ?é', 'x1').image).toBe('https://demo.example/-/previews/a%2Fb%20%3F%C3%A9.png?v=x1')
  expect(of('a\ud800').url).toBe('https://demo.example/a%EF%BF%BD')
})

it('names no picture where there is none', () => {
  expect(of('ada')).toEqual({ url: 'https://demo.example/ada' })
})
