import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { speechOfProgram } from '../../testing/flite-program.js'
import { FLITE_PARTS_SOURCE } from './flite-parts-code.js'
import { ResidentFlite } from './resident-flite.js'

const LONG = 'We bake bread, cakes and pies, and whoever comes before seven finds them warm, '
  .repeat(4)
  .trim()

/** Texts with numbers, names, marks, unknown words and nothing to say. */
const TEXTS = [
  'Good morning.',
  'Ok.',
  'Hello visitor 4711, this is the harbour bakery, and we are glad that you called us today!',
  'Is it true that $1,234.50 were paid on 3/4/2024, at 7:15 p.m.?',
  'Dr. Smith lives in St. Louis; his number is 314 555 0101 (ask for "Jo").',
  'Qzx vrrk ... ABC, NASA and IEEE: 50% -- or not?',
  'a',
  '?!',
  LONG,
]

describe('ResidentFlite', () => {
  let flite: ResidentFlite
  beforeAll(() => {
    flite = new ResidentFlite()
  })

  it.each(TEXTS)('says %j as the program does, to the last sample', (text) => {
    const expected = speechOfProgram(text)
    expect(Buffer.compare(bytesOf(flite.speak(text)), bytesOf(expected))).toBe(0)
  })

  it('says the same again after everything else', () => {
    const first = flite.speak('Good morning.')
    for (const text of TEXTS) flite.speak(text)
    expect(flite.speak('Good morning.')).toEqual(first)
  })

  it('takes no more memory for the fortieth text than for the tenth', () => {
    const speak = (times: number) => {
      for (let n = 0; n < times; n += 1) flite.speak(`Visitor ${n}, we open at seven.`)
      return flite.bytes
    }
    const before = speak(10)
    expect(speak(30)).toBe(before)
  })
})

it('its faster parts were compiled from their source: run scripts/flite-parts.mjs after a change', () => {
  const sources = new URL('../../../flite-parts/', import.meta.url)
  const hash = createHash('sha256')
  for (const file of readdirSync(sources).sort()) hash.update(readFileSync(new URL(file, sources)))
  expect(hash.digest('hex')).toBe(FLITE_PARTS_SOURCE)
})

const bytesOf = (samples: Int16Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
