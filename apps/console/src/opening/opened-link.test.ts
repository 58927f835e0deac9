import { expect, it } from 'vitest'
import { readLink, takeLink } from './opened-link.js'

it('reads the links that the server makes', () => {
  expect(readLink('#setup=abc')).toEqual({ kind: 'set-up', code: 'abc' })
  expect(readLink('#token_hash=abc&type=invite')).toEqual({ kind: 'invite', tokenHash: 'abc' })
  expect(readLink('#token_hash=abc&type=recovery')).toEqual({ kind: 'recovery', tokenHash: 'abc' })
})

it.each([
  '',
  '#',
  '#setup=',
  '#token_hash=abc',
  '#type=invite',
  '#token_hash=abc&type=magiclink',
  '#section',
])('finds no link in "%s"', (hash) => expect(readLink(hash)).toBeUndefined())

it('takes the code out of the address', () => {
  const written: unknown[] = []
  const location = { hash: '#setup=abc', pathname: '/-/console/', search: '?a=b' }
  const history = { replaceState: (...given: unknown[]) => void written.push(given) }
  expect(takeLink({ location, history })).toEqual({ kind: 'set-up', code: 'abc' })
  expect(written).toEqual([[null, '', '/-/console/?a=b']])
})
