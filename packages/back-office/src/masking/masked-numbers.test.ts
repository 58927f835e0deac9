import { expect, it } from 'vitest'
import { maskedNumber, maskedRecord } from './masked-numbers.js'

it.each([
  ['+12025550101', '+1202•••0101'],
  ['+4930123456', '+493•••3456'],
  ['+49301234', '+493•••34'],
  ['+1234', '•••34'],
  ['', '•••'],
])('masks %s as %s', (number, masked) => expect(maskedNumber(number)).toBe(masked))

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
