import { describe, expect, it } from 'vitest'
import { writtenNumber } from './written-number.js'

const AMERICAN = writtenNumber({ callingCode: '1', national: '4155552671' })
const BRITISH = writtenNumber({ callingCode: '44', national: '2079460958', trunk: '0' })
const RUSSIAN = writtenNumber({ callingCode: '7', national: '9123456789', trunk: '8' })
const HIDDEN = '(removed number)'

describe('a number in a text', () => {
  it.each([
    '+14155552671',
    '+1 415 555 2671',
    '+1 (415) 555-2671',
    '+1-415-555-2671',
    '+1.415.555.2671',
    '1 415 555 2671',
    '14155552671',
    '4155552671',
    '(415) 555-2671',
    '(+1) 415 555 2671',
    '(415)5552671',
    '415-555-2671',
    '415.555.2671',
    '415/555/2671',
    '415\u00a0555\u00a02671',
    '415\u2011555\u20112671',
    '415, 555, 2671',
    '4 1 5 5 5 5 2 6 7 1',
    '001 415 555 2671',
    '01114155552671',
    '00 1 (415) 555 - 2671',
    '00114155552671',
    '0111 415 555 2671',
    '001 1 415 555 2671',
    '[415] 555 2671',
    '415·555·2671',
    '415_555_2671',
    '415,555,2671',
    '415:555:2671',
    '415  555 -- 2671',
    '415 - - 555 - - 2671',
    '415\t555\r\n2671',
    '4\u200b1\u200b5\u200b5\u200b5\u200b5\u200b2\u200b6\u200b7\u200b1',
    '４１５－５５５－２６７１',
    '＋１（４１５）５５５２６７１',
    '٤١٥ ٥٥٥ ٢٦٧١',
    '४१५ ५५५ २६७१',
    '𝟒𝟏𝟓 𝟓𝟓𝟓 𝟐𝟔𝟕𝟏',
    '④①⑤⑤⑤⑤②⑥⑦①',
    '4\ufe0f\u20e31\ufe0f\u20e35\ufe0f\u20e35\ufe0f\u20e35\ufe0f\u20e35\ufe0f\u20e32\ufe0f\u20e36\ufe0f\u20e37\ufe0f\u20e31',
  ])('is found as %s', (spelling) => {
    expect(AMERICAN.text(`AI: Call ${spelling}. Goodbye`)).toBe(`AI: Call ${HIDDEN}. Goodbye`)
    expect(AMERICAN.text(spelling)).toBe(HIDDEN)
  })

  it.each([
    '+44 20 7946 0958',
    '+44 (0)20 7946 0958',
    '0044 20 7946 0958',
    '020 7946 0958',
    '02079460958',
    '20 7946 0958',
  ])('is found with its trunk prefix or without: %s', (spelling) =>
    expect(BRITISH.text(`It is ${spelling}!`)).toBe(`It is ${HIDDEN}!`),
  )

  it('is found with a trunk prefix that is no zero', () => {
    expect(RUSSIAN.text('8 (912) 345-67-89, 89123456789')).toBe(`${HIDDEN}, ${HIDDEN}`)
  })

  it.each([
    '+141555526712',
    '+24155552671',
    '+4155552671',
    '+41 4155552671',
    '94155552671',
    '415555267',
    '415 555 26712',
    '+49 (30) 4155552671',
    '0041 415 555 2671',
    '415 - - - 555 - - - 2671',
    '415 and 555 2671',
    '415，五，555，2671',
    '４1５５５５２６７１1',
  ])('is not found in another: %s', (other) => expect(AMERICAN.text(other)).toBe(other))

  it('is found before a footnote, and between signs that take two units', () => {
    expect(AMERICAN.text('😀415😀555😀2671😀 415 555 2671² 𝟒155552671①')).toBe(
      `😀${HIDDEN}😀 ${HIDDEN}² ${HIDDEN}①`,
    )
  })

  describe('of eight digits', () => {
    const danish = writtenNumber({ callingCode: '45', national: '20261123' })

    it.each([
      '2026-11-23',
      '2026-11-23T18:17:51.483Z',
      '2026-11-23 18:17',
      'On 2026-11-23, at 18:17',
      '20:26 - 11:23',
      '$20.26 $11.23',
      '06 20 26 11 23',
      '+33 6 20 26 11 23',
    ])('is no date, no time, no sum and no part of a longer number: %s', (other) => {
      expect(danish.text(other)).toBe(other)
      expect(danish.json(JSON.stringify({ at: other }))).toBe(JSON.stringify({ at: other }))
    })

    it.each([
      '20 26 11 23',
      '20261123',
      '2026 1123',
      '20-26-11-23',
      '+45 2026-11-23',
      '0045 2026-11-23',
      '45 2026-11-23',
      '+45:20:26:11:23',
    ])('is found as %s', (spelling) => {
      expect(danish.text(`Call ${spelling}.`)).toBe(`Call ${HIDDEN}.`)
      expect(danish.text(`2026-11-23T18:17:51.483Z ${spelling}`)).toBe(`2026-11-23T18:17:51.483Z ${HIDDEN}`)
    })
  })

  it('is no timestamp, also with as many digits as a date and an hour have', () => {
    const said = '2026-11-23 18:17'
    expect(writtenNumber({ callingCode: '1', national: '2026112318' }).text(said)).toBe(said)
  })

  it.each([
    '+1 415 555-1234',
    '(415) 555-1234',
    '415-555-1234',
    '1.415.555.1234',
    '+1 (415)555 1234',
    '+1 415 - 555 - 1234',
  ])('is not the end of a longer one: %s', (other) => {
    const icelandic = writtenNumber({ callingCode: '354', national: '5551234' })
    expect(icelandic.text(other)).toBe(other)
    expect(icelandic.text(`At 9:30 555-1234, or ${other}: +354 555 1234. 555 1234`)).toBe(
      `At 9:30 ${HIDDEN}, or ${other}: ${HIDDEN}. ${HIDDEN}`,
    )
  })

  it('is not found by a short national number alone', () => {
    const short = writtenNumber({ callingCode: '290', national: '22345' })
    expect(short.text('22345, +290 22345, 29022345, 290-22345')).toBe(
      `22345, ${HIDDEN}, ${HIDDEN}, ${HIDDEN}`,
    )
  })

  it('is found where the calling code is not known', () => {
    const unknown = writtenNumber({ callingCode: '', national: '99912345678' })
    expect(unknown.text('+99912345678 or 999 1234 5678')).toBe(`${HIDDEN} or ${HIDDEN}`)
  })

  it('is found in a text of a megabyte, whatever that says', () => {
    for (const unit of [
      '4',
      '41',
      '415 555 267',
      '+',
      '+1 ',
      '(((',
      '0',
      ', ',
      '1 415 555-',
      'word ',
      '４１５ ',
      '2026-11-23 ',
      '😀',
      '0041 415 ',
      '--',
    ])
      expect(AMERICAN.text(`${unit.repeat(1_000_000 / unit.length)} x 4155552671`)).toContain(HIDDEN)
  })
})

describe('a number in a JSON document', () => {
  const hidden = (value: unknown) => JSON.parse(AMERICAN.json(JSON.stringify(value)))

  it('is found in texts, names and numbers, and the document stays JSON', () => {
    expect(
      hidden({
        said: 'Call "(415) 555-2671" (4155552671)\nor \\+14155552671',
        '+14155552671': [4155552671, 14155552671, '4155552671'],
        empty: ['', null, true, {}],
      }),
    ).toEqual({
      said: `Call "${HIDDEN}" (${HIDDEN})\nor \\${HIDDEN}`,
      [HIDDEN]: [HIDDEN, HIDDEN, HIDDEN],
      empty: ['', null, true, {}],
    })
  })

  it('is not found in fractions, longer numbers, lists of numbers, or across two texts', () => {
    const value = {
      at: 1.4155552671,
      time: 4155552671000,
      list: [415, 555, 2671],
      texts: ['415', '555', '2671'],
    }
    expect(hidden(value)).toEqual(value)
  })

  it('leaves the rest as it is written', () => {
    const document = '{"a": 1.50, "b": "\\u00e9\\/", "c": -0, "d": 1e5}'
    expect(AMERICAN.json(document)).toBe(document)
  })

  it('may be long and deep', () => {
    const deep = `${'['.repeat(100_000)}"4155552671"${']'.repeat(100_000)}`
    expect(AMERICAN.json(deep)).toContain(HIDDEN)
    const long = JSON.stringify(['\\"'.repeat(2_000_000), '415 555 2671'])
    expect(AMERICAN.json(long)).toContain(HIDDEN)
  })
})
