import { describe, expect, it } from 'vitest'
import { namedValue, unfollowedFixed, withFixed, withoutFixed } from './schema-values.js'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const text = { type: 'string' }
const ORDER = object({
  order: object({ item: text, price: { type: 'number', value: 12 } }),
  parts: { type: 'array', items: object({ name: text, unit: { type: 'string', value: '{{unit}}' } }) },
})

describe('namedValue', () => {
  it.each([
    ['at the top', { a: '1', b: '2' }, object({ a: text }), { a: '1' }],
    ['within', { a: { x: '1', y: '2' } }, object({ a: object({ x: text }) }), { a: { x: '1' } }],
    [
      'in lists',
      { a: [{ x: '1', y: '2' }] },
      object({ a: { type: 'array', items: object({ x: text }) } }),
      { a: [{ x: '1' }] },
    ],
  ])('leaves out what the schema does not name, %s', (_, value, schema, left) => {
    expect(namedValue(value, schema)).toEqual(left)
  })

  it.each([
    ['may have more', object({ a: text }, { additionalProperties: true })],
    ['says nothing of properties', { type: 'object' }],
  ])('keeps the rest where the schema %s', (_, schema) => {
    expect(namedValue({ a: '1', b: { c: '2' } }, schema)).toEqual({ a: '1', b: { c: '2' } })
    expect(namedValue({ in: { b: '2' } }, object({ in: schema }))).toEqual({ in: { b: '2' } })
  })

  it.each([
    ['a list for an object', { a: [{ x: '1' }] }, object({ a: object({ x: text }) }), {}],
    ['an object for a list', { a: { 0: { x: '1' } } }, object({ a: { items: object({ x: text }) } }), {}],
    [
      'a list in a list',
      { a: [[{ x: '1' }], { x: '2' }] },
      object({ a: { items: object({ x: text }) } }),
      { a: [{ x: '2' }] },
    ],
    ['an object for a text', { a: { $ne: null } }, object({ a: text }), {}],
    ['a text for an object', { a: 'x' }, object({ a: object({ x: text }) }), {}],
  ])('leaves out %s', (_, value, schema, left) => {
    expect(namedValue(value, schema)).toEqual(left)
  })

  it.each([
    ['a number for a text', { a: 1 }, object({ a: text })],
    ['nothing', { a: null }, object({ a: object({ x: text }) })],
    ['one of several types', { a: ['x'] }, object({ a: { type: ['string', 'array'] } })],
    ['what the schema says nothing of', { a: { x: [1, [2]] }, b: [] }, object({ a: {}, b: {} })],
  ])('keeps %s', (_, value, schema) => {
    expect(namedValue(value, schema)).toEqual(value)
  })

  it('takes no name that every object has for one of the schema', () => {
    expect(namedValue(JSON.parse('{"__proto__":{"x":1},"toString":"1"}'), object({ a: text }))).toEqual({})
  })
})

it('namedValue has nothing that is fixed, also where there may be more', () => {
  const schema = object({ id: { type: 'string', value: 'own' } }, { additionalProperties: true })
  expect(namedValue({ id: 'other', more: 1 }, schema)).toEqual({ more: 1 })
})

describe('unfollowedFixed', () => {
  const price = object({ price: { type: 'number', value: 12 } })
  it.each([
    ['a.anyOf.price', object({ a: { anyOf: [price] } })],
    ['anyOf.price', { anyOf: [price] }],
    ['items.price', { type: 'array', items: [price] }],
    ['a.prefixItems.price', object({ a: { prefixItems: [price] } })],
    ['additionalProperties.price', { additionalProperties: price }],
    ['patternProperties.price', { patternProperties: { '.*': price } }],
    ['$defs.price', { $defs: { line: price } }],
    ['a.items.allOf.price', object({ a: { items: { allOf: [price] } } })],
  ])('finds %s', (place, schema) => {
    expect(unfollowedFixed(schema)).toBe(place)
  })

  it.each([
    [price],
    [ORDER],
    [object({ value: text, anyOf: { type: 'string', enum: ['value'] } }, { additionalProperties: true })],
    [object({ a: { anyOf: [object({ value: text })] } })],
    [object({ a: { additionalProperties: object({ value: text }), $defs: { value: text } } })],
    [object({ a: { type: 'object', default: { value: 1 }, examples: [{ value: 1 }] } })],
  ])('finds nothing in %j', (schema) => {
    expect(unfollowedFixed(schema)).toBeUndefined()
  })
})

it('withoutFixed shows what is not fixed, at any depth', () => {
  expect(withoutFixed(ORDER)).toEqual(
    object({ order: object({ item: text }), parts: { type: 'array', items: object({ name: text }) } }),
  )
})

describe('withFixed', () => {
  const fixed = (value: unknown) => (value === '{{unit}}' ? 'kg' : value)

  it('puts each fixed value in its place, whatever was given', () => {
    const given = { order: { item: 'tea', price: 0 }, parts: [{ name: 'leaf', unit: 't' }, { name: 'bag' }] }
    expect(withFixed(given, ORDER, fixed)).toEqual({
      order: { item: 'tea', price: 12 },
      parts: [
        { name: 'leaf', unit: 'kg' },
        { name: 'bag', unit: 'kg' },
      ],
    })
  })

  it('makes an object that has fixed values, where none was given or something else', () => {
    expect(withFixed({}, ORDER, fixed)).toEqual({ order: { price: 12 } })
    expect(withFixed({ order: 'free of charge' }, ORDER, fixed)).toEqual({ order: { price: 12 } })
  })

  it('leaves what has no fixed values as it was given', () => {
    const schema = object({ a: object({ b: text }), c: text })
    expect(withFixed({}, schema, fixed)).toEqual({})
    expect(withFixed({ a: 'other', c: '1' }, schema, fixed)).toEqual({ a: 'other', c: '1' })
    expect(withFixed(undefined, schema, fixed)).toBeUndefined()
  })
})
