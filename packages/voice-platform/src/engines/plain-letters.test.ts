import { describe, expect, it } from 'vitest'
import { isPhrase, plainLetters, usualForms } from './plain-letters.js'

/** All characters but halves of pairs. */
const CHARACTERS = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

describe.each(['NFKC', 'NFKD'] as const)('usualForms as %s', (form) => {
  it('makes no character more than six times as long', () => {
    const longer = CHARACTERS.filter((one) => usualForms(one, form).length > 6)
    expect(longer).toEqual([])
  })

  it('changes what the normal form changes, but for phrases without Latin letters', () => {
    const others = CHARACTERS.filter((one) => usualForms(one, form) !== one.normalize(form))
    expect(others).toEqual(CHARACTERS.filter((one) => isPhrase(one) && one.normalize(form) !== one))
    expect(others.filter((one) => /[a-z\d]/i.test(one.normalize(form)))).toEqual([])
    const text = 'Ｃａｆé ﷺ ﬁne ①'
    expect(usualForms(text, form)).toBe(
      text
        .split('ﷺ')
        .map((part) => part.normalize(form))
        .join('ﷺ'),
    )
  })
})

it('plainLetters have no accents', () => {
  expect(plainLetters('Crème brûlée ﷺ ﬁ')).toBe('Creme brulee ﷺ fi')
})
