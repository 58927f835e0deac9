import { describe, expect, it } from 'vitest'
import { authorization, chooseChallenge } from './digest.js'

const MUFASA = { user: 'Mufasa', method: 'GET', uri: '/dir/index.html' }

function proofOf(line: string, use: Parameters<typeof authorization>[1]): string {
  const challenge = chooseChallenge([line])
  if (!challenge) throw new Error('There is no challenge that can be met.')
  return authorization(challenge, use)
}

describe('a proof of who we are', () => {
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('is that of RFC 7616 3.9.1 with %s', (algorithm, response) => {
    const line = `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
    const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'
    const proof = proofOf(line, { ...MUFASA, password: 'Circle of Life', cnonce })
    expect(proof).toContain(`response="${response}"`)
    expect(proof).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"')
    expect(proof).toMatch(/qop=auth, nc=00000001/)
  })

  it('is that of RFC 2069 where the server knows no qop', () => {
    const line = 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'
    const proof = proofOf(line, { ...MUFASA, password: 'CircleOfLife' })
    expect(proof).toContain('response="1949323746fe6a43ef61f9606e7febea"')
    expect(proof).not.toMatch(/qop|nc=|cnonce/)
  })

  it('does not break out of its quotes', () => {
    const proof = proofOf('Digest realm="a\\"b", nonce="n"', { ...MUFASA, user: 'a"b\\c', password: 'x' })
    expect(proof).toContain('username="a\\"b\\\\c", realm="a\\"b"')
  })
})

describe('a challenge', () => {
  it('is the strongest of several', () => {
    const lines = [
      'Digest realm="a", nonce="1", algorithm=MD5',
      'Digest realm="a", nonce="2", algorithm=SHA-256',
    ]
    expect(chooseChallenge(lines)).toMatchObject({ algorithm: 'SHA-256', nonce: '2' })
  })

  it('may say that only its nonce is too old', () => {
    expect(chooseChallenge(['digest realm="a", nonce="1", stale=TRUE'])).toMatchObject({ stale: true })
    expect(chooseChallenge(['Digest realm="a", nonce="1"'])).toMatchObject({ stale: false, hasQop: false })
  })

  it.each([
    'Basic realm="a"',
    'Digest realm="a"',
    'Digest nonce="a"',
    'Digest realm="a", nonce="b", algorithm=SHA-512-256',
    'Digest realm="a", nonce="b", qop="auth-int"',
    '',
  ])('that we can not meet is passed over: %s', (line) => {
    expect(chooseChallenge([line])).toBeUndefined()
  })
})
