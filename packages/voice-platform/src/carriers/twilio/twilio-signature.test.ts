import { describe, expect, it } from 'vitest'
import { isSigned, twilioSignature } from './twilio-signature.js'

const TOKEN = '12345'
const URL_ = 'https://mycompany.com/myapp.php?foo=1&bar=2'
const FORM: Array<[string, string]> = [
  ['CallSid', 'CA1234567890ABCDE'],
  ['Caller', '+14158675310'],
  ['Digits', '1234'],
  ['From', '+14158675310'],
  ['To', '+18005551212'],
]

describe('twilioSignature', () => {
  it('gives the signature that Twilio publishes for its sample request', () => {
    expect(twilioSignature(TOKEN, URL_, FORM)).toBe('GvWf1cFY/Q7PnoempGyD5oXAezc=')
  })

  it('does not depend on the order of the parameters', () => {
    expect(twilioSignature(TOKEN, URL_, [...FORM].reverse())).toBe(twilioSignature(TOKEN, URL_, FORM))
  })

  it('counts a repeated value once, and different values of a name in order', () => {
    const once = twilioSignature(TOKEN, URL_, [
      ['A', '1'],
      ['A', '2'],
    ])
    expect(
      twilioSignature(TOKEN, URL_, [
        ['A', '2'],
        ['A', '1'],
        ['A', '2'],
      ]),
    ).toBe(once)
  })
})

describe('isSigned', () => {
  const signed = twilioSignature(TOKEN, URL_, FORM)

  it('accepts the account’s signature', () => {
    expect(isSigned(TOKEN, URL_, FORM, signed)).toBe(true)
  })

  it.each([
    ['another token', () => isSigned('54321', URL_, FORM, signed)],
    ['another URL', () => isSigned(TOKEN, `${URL_}&more=1`, FORM, signed)],
    ['another host', () => isSigned(TOKEN, URL_.replace('mycompany', 'elsewhere'), FORM, signed)],
    ['a parameter left out', () => isSigned(TOKEN, URL_, FORM.slice(1), signed)],
    ['another value', () => isSigned(TOKEN, URL_, [...FORM.slice(1), ['CallSid', 'CA0']], signed)],
    ['no signature', () => isSigned(TOKEN, URL_, FORM, null)],
    ['an empty one', () => isSigned(TOKEN, URL_, FORM, '')],
    ['two headers', () => isSigned(TOKEN, URL_, FORM, [signed, signed])],
    ['one of its length', () => isSigned(TOKEN, URL_, FORM, 'A'.repeat(signed.length))],
  ])('refuses %s', (_, check) => {
    expect(check()).toBe(false)
  })

  it('looks at each parameter once for all spellings, and at none for what is no signature', () => {
    let looked = 0
    const counted = FORM.map(
      ([name, value]) =>
        new Proxy([name, value] as const, {
          get(parameter, key) {
            if (key === '0' || key === Symbol.iterator) looked += 1
            return Reflect.get(parameter, key)
          },
        }),
    )
    expect(isSigned(TOKEN, URL_, counted, 'a')).toBe(false)
    expect(looked).toBe(0)
    expect(isSigned(TOKEN, URL_, counted, `${'A'.repeat(27)}=`)).toBe(false)
    expect(looked).toBeLessThanOrEqual(2 * FORM.length)
  })

  it.each([
    ['https://a.example/x', 'https://a.example:443/x'],
    ['https://a.example:8443/x', 'https://a.example/x'],
    ['wss://a.example/x', 'wss://a.example/x/'],
    ['wss://a.example/x', 'wss://a.example:443/x'],
  ])('accepts for %s a signature over %s', (url, over) => {
    expect(isSigned(TOKEN, url, [], twilioSignature(TOKEN, over, []))).toBe(true)
  })

  it('takes no final slash at a callback', () => {
    const over = twilioSignature(TOKEN, 'https://a.example/x/', [])
    expect(isSigned(TOKEN, 'https://a.example/x', [], over)).toBe(false)
  })
})
