import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFontFile } from './font-file.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heyline-fonts-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const words = (...values: number[]) => values.flatMap((value) => [(value >> 8) & 0xff, value & 0xff])
const long = (value: number) => words(value >>> 16, value & 0xffff)
const text = (tag: string) => [...tag].map((letter) => letter.charCodeAt(0))

/** Of the first plane: A to C by a shift to glyphs 1 to 3; a to c by a list, where b has none. */
const FORMAT_4 = [
  ...words(4, 48, 0, 6, 0, 0, 0),
  ...words(0x43, 0x63, 0xffff, 0),
  ...words(0x41, 0x61, 0xffff),
  ...words(0x10000 - 0x40, 1, 1),
  ...words(0, 4, 0),
  ...words(1, 0, 2),
]
/** Of all planes: A, and one beyond the first plane. */
const FORMAT_12 = [
  ...words(12, 0),
  ...[40, 0, 2].flatMap(long),
  ...[0x41, 0x41, 1, 0x1f600, 0x1f601, 2].flatMap(long),
]

/** A font of four glyphs, 0 to 3; all that come after the second are as wide as that. */
function font(subtable: number[], outlines = 'glyf', directory = 0): number[] {
  const encoding = subtable === FORMAT_12 ? 10 : 1
  const tables: Record<string, number[]> = {
    cmap: [...words(0, 1, 3, encoding), ...long(12), ...subtable],
    head: [...Array<number>(18).fill(0), ...words(1000)],
    hhea: [...Array<number>(34).fill(0), ...words(3)],
    hmtx: words(500, 0, 600, 0, 700, 0, 0),
    [outlines]: [0, 0],
  }
  const count = Object.keys(tables).length
  let offset = directory + 12 + 16 * count
  const records: number[] = []
  for (const [tag, table] of Object.entries(tables)) {
    records.push(...text(tag), ...long(0), ...long(offset), ...long(table.length))
    offset += table.length
  }
  return [...long(0x10000), ...words(count, 0, 0, 0), ...records, ...Object.values(tables).flat()]
}

function read(bytes: number[]) {
  const path = join(folder, 'font.ttf')
  writeFileSync(path, new Uint8Array(bytes))
  return readFontFile(path)
}

const widths = async (bytes: number[], letters: string) => {
  const face = await read(bytes)
  return [...letters].map((letter) => {
    const codePoint = letter.codePointAt(0) ?? 0
    return face?.has(codePoint) ? face.advance(codePoint) : undefined
  })
}

describe('a font file', () => {
  it('has the letters of its table of the first plane', async () => {
    expect(await widths(font(FORMAT_4), '@ABCD')).toEqual([undefined, 0.6, 0.7, 0.7, undefined])
    expect(await widths(font(FORMAT_4), '`abcd')).toEqual([undefined, 0.7, undefined, 0.7, undefined])
  })

  it('has the letters of its table of all planes', async () => {
    expect(await widths(font(FORMAT_12), '@AB😀😁😂')).toEqual([
      undefined,
      0.6,
      undefined,
      0.7,
      0.7,
      undefined,
    ])
  })

  it('is the first of a collection', async () => {
    const header = [...text('ttcf'), ...words(1, 0), ...long(1), ...long(16)]
    expect(await widths([...header, ...font(FORMAT_4, 'CFF ', 16)], 'AD')).toEqual([0.6, undefined])
  })

  it('is none for us without outlines', async () => {
    expect(await read(font(FORMAT_4, 'CBDT'))).toBeUndefined()
  })

  it.each([
    ['empty', () => []],
    ['a text', () => text('This is no font at all, but a text.')],
    ['cut off', () => font(FORMAT_4).slice(0, 60)],
    ['without letters', () => font(FORMAT_4).slice(0, 120)],
  ])('is refused when it is %s', async (_, bytes) => {
    await expect(read(bytes())).rejects.toThrow()
  })

  it('is refused when it is not there', async () => {
    await expect(readFontFile(join(folder, 'none.ttf'))).rejects.toThrow('ENOENT')
  })
})
