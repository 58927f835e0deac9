import { expect, it } from 'vitest'
import { maskedNumber, maskedRecord } from './masked-numbers.js'

it.each([
  ['+12025550101', '+1202•••0101'],
  ['+4930123456', '+493•••3456'],
  ['+49301234', '+493•••34'],
  ['+1234', '•••34'],
  ['', '•••'],
])('masks %s as %s', (number, masked) => expect(maskedNumber(number)).toBe(masked))

it.each([
  ['203.0.113.7', '203.0.•••'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:•••'],
  ['::1', '::•••'],
])('shows of the address %s the network alone: %s', (address, masked) =>
  expect(maskedRecord({ address }).address).toBe(masked),
)

it('hides at least three digits, and never shows a whole number', () => {
  for (let length = 1; length <= 17; length++) {
    const number = `+${'7'.repeat(length)}`
    expect(maskedNumber(number).replace('•••', '').length).toBeLessThanOrEqual(Math.max(2, number.length - 3))
  }
})

it.each(['202 555 0101', '(202) 555-0101', '+1-202-555-0101', '202.555.0101', '0049 (0)30 / 123456'])(
  'masks a number that somebody said: %s',
  (number) => {
    const { transcript } = maskedRecord({ transcript: `User: call ${number}, please` }) as {
      transcript: string
    }
    expect(transcript).toMatch(/^User: call [+\d]*•••\d+, please$/)
    expect(transcript.replace(/\D/g, '').length).toBeLessThanOrEqual(number.replace(/\D/g, '').length - 3)
  },
)

it.each([
  '415, 555, 2671',
  '4 1 5, 5 5 5, 2 6 7 1',
  '415\u2011555\u20112671',
  '415 \u2013 555 \u2013 2671',
  '(415)  555 \u2014 2671',
  '+1\u2009415\u2009555\u20092671',
  '+1\u202f415\u202f555\u202f2671',
  '415\n555\r\n2671',
  '415…555…2671',
  '415:555:2671',
  '415_555_2671',
  '4\u200b1\u200b5\u200b5\u200b5\u200b5\u200b2\u200b6\u200b7\u200b1',
  '4\ufe0f\u20e31\ufe0f\u20e35\ufe0f\u20e35\ufe0f\u20e35\ufe0f\u20e35\ufe0f\u20e32\ufe0f\u20e36\ufe0f\u20e37\ufe0f\u20e31',
  '٤١٥ ٥٥٥ ٢٦٧١',
  '４１５－５５５－２６７１',
  '𝟒𝟏𝟓𝟓𝟓𝟓𝟐𝟔𝟕𝟏',
  '④①⑤⑤⑤⑤②⑥⑦①',
])('masks it however it is written: %j', (number) => {
  const { transcript } = maskedRecord({ transcript: `User: call ${number}` })
  expect(transcript).toMatch(/^User: call \+?\p{N}{3,4}•••\p{N}{4}\P{N}*$/u)
})

it.each(['four one five, five five five, two six seven one', '415 and 555, then 2671'])(
  'does not know a number with words in it: %s',
  (summary) => expect(maskedRecord({ summary })).toEqual({ summary }),
)

it('reads a long text of digits at once', () => {
  const transcript = '1-2-3 x '.repeat(50_000)
  const begun = performance.now()
  expect(maskedRecord({ transcript })).toEqual({ transcript })
  expect(performance.now() - begun).toBeLessThan(1_000)
})

it('leaves everything else of a record as it is', () => {
  const record = {
    id: 'abcdef01-0000-4000-8000-000000000000',
    createdAt: '2026-11-22T16:52:13.000Z',
    phone: null,
    seconds: 12345678,
    transcript: 'AI: Hello, we open at 9:30 on 24 December 2026. That is $1200.',
    slug: '20255501012',
  }
  expect(maskedRecord(record)).toEqual(record)
})
