import { describe, expect, it } from 'vitest'
import { jsonAnswer, misfit } from './json-answer.js'

describe('jsonAnswer', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['Here you are:\n```json\n{"a":{"b":2}}\n```', { a: { b: 2 } }],
    ['[1]', undefined],
    ['{"a":', undefined],
    ['no', undefined],
    // Postgres takes none of these.
    ['{"a":"b\\u0000"}', undefined],
    ['{"a\\ud800":1}', undefined],
    [`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, undefined],
  ])('%s', (answer, value) => {
    expect(jsonAnswer(answer)).toEqual(value)
  })
})

describe('misfit', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      age: { type: 'integer' },
      mood: { type: 'string', enum: ['good', 'bad'] },
      items: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } },
    },
  }
  it.each([
    [{ name: 'Ada', age: 36, mood: 'good', items: [{ price: 1.5 }], more: null }, undefined],
    [{}, 'name'],
    [{ name: 7 }, 'name.value'],
    [{ name: 'Ada', age: 1.5 }, 'age.value'],
    [{ name: 'Ada', mood: 'fine' }, 'mood.value'],
    [{ name: 'Ada', items: [{ price: 1 }, { price: '1' }] }, 'items.1.price.value'],
    ['text', 'value'],
  ])('%j does not fit at %s', (value, place) => {
    expect(misfit(value, schema)).toBe(place)
  })

  it('takes anything where there is no schema', () => {
    expect(misfit({ a: 1 }, undefined)).toBeUndefined()
  })
})
