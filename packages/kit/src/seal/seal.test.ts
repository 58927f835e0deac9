import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Seal, SealError } from './seal.js'

const key = randomBytes(32)
const seal = new Seal(key)
const sealed = seal.seal('a secret', 'row 1')

it('opens what it sealed, for the same row', () => {
  expect(seal.open(sealed, 'row 1')).toBe('a secret')
  expect(new Seal(key).open(sealed, 'row 1')).toBe('a secret')
  expect(seal.open(seal.seal('', 'row 1'), 'row 1')).toBe('')
})

it('writes the same text in another way each time', () => {
  expect(seal.seal('a secret', 'row 1')).not.toBe(sealed)
  expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]{32}$/)
  expect(sealed).not.toContain('secret')
})

describe('does not open', () => {
  const [, nonce = '', rest = ''] = sealed.split('.')
  it.each([
    ['of another row', seal, sealed, 'row 2'],
    ['of another key', new Seal(randomBytes(32)), sealed, 'row 1'],
    ['of another kind', seal, `v2.${nonce}.${rest}`, 'row 1'],
    ['that was changed', seal, `v1.${nonce}.${rest.startsWith('A') ? 'B' : 'A'}${rest.slice(1)}`, 'row 1'],
    ['that was cut', seal, `v1.${nonce}.${rest.slice(0, 20)}`, 'row 1'],
    ['that is nothing', seal, '', 'row 1'],
  ])('what is %s', (_, opener, text, of) => {
    expect(() => opener.open(text, of)).toThrow(SealError)
    expect(() => opener.open(text, of)).toThrow('start with the secret key')
  })
})
