import { type FileHandle, open } from 'node:fs/promises'

/** What a font draws. */
export interface FontFace {
  has(codePoint: number): boolean
  /** How far a character moves the pen, in em; 0 for one that the font does not have. Without kerning and shaping. */
  advance(codePoint: number): number
  /** What its tables take in memory. */
  bytes: number
}

type Tables = Map<string, { offset: number; length: number }>
/** The glyph of a character; 0 where there is none. */
type GlyphOf = (codePoint: number) => number

/** Longest table that is read, in bytes; the largest fonts' are a tenth of it. */
const TABLE_LIMIT = 8_000_000

/**
 * Reads a TrueType or OpenType file, of a collection its first face: only the tables named below, as CJK fonts are
 * large (https://learn.microsoft.com/typography/opentype/spec/otff). Rejects for a file that is no such font;
 * undefined for one without outlines, such as an emoji font of bitmaps, whose characters would come out empty.
 */
export async function readFontFile(path: string): Promise<FontFace | undefined> {
  const file = await open(path)
  try {
    const tables = await tablesOf(file)
    if (!['glyf', 'CFF ', 'CFF2'].some((outlines) => tables.has(outlines))) return undefined
    const read = (tag: string) => tableOf(file, tables, tag, path)
    const [head, hhea, hmtx, cmap] = [
      await read('head'),
      await read('hhea'),
      await read('hmtx'),
      await read('cmap'),
    ]
    const glyphOf = glyphsOf(cmap)
    const unitsPerEm = head.getUint16(18)
    const lastMetric = hhea.getUint16(34) - 1
    return {
      bytes: [hmtx, cmap].reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
      has: (codePoint) => glyphOf(codePoint) !== 0,
      advance(codePoint) {
        const glyph = glyphOf(codePoint)
        return glyph === 0 ? 0 : hmtx.getUint16(4 * Math.min(glyph, lastMetric)) / unitsPerEm
      },
    }
  } finally {
    await file.close()
  }
}

async function tablesOf(file: FileHandle): Promise<Tables> {
  const start = await bytes(file, 0, 16)
  const isCollection = start.getUint32(0) === 0x74746366
  const directory = isCollection ? start.getUint32(12) : 0
  const count = (await bytes(file, directory, 12)).getUint16(4)
  const records = await bytes(file, directory + 12, 16 * count)
  const tables: Tables = new Map()
  for (let at = 0; at < 16 * count; at += 16) {
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((place) => records.getUint8(at + place)))
    tables.set(tag, { offset: records.getUint32(at + 8), length: records.getUint32(at + 12) })
  }
  return tables
}

function tableOf(file: FileHandle, tables: Tables, tag: string, path: string): Promise<DataView> {
  const table = tables.get(tag)
  if (table && table.length <= TABLE_LIMIT) return bytes(file, table.offset, table.length)
  throw new Error(`${path} is no font that can be read: its table ${tag} is missing or too long`)
}

async function bytes(file: FileHandle, offset: number, length: number): Promise<DataView> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset)
  return new DataView(buffer.buffer, 0, bytesRead)
}

/** The characters' glyphs: by the subtable of all planes (format 12), else by that of the first one (format 4). */
function glyphsOf(cmap: DataView): GlyphOf {
  const subtables = new Map<number, number>()
  for (let at = 4; at < 4 + 8 * cmap.getUint16(2); at += 8) {
    const isUnicode =
      cmap.getUint16(at) === 0 || (cmap.getUint16(at) === 3 && [1, 10].includes(cmap.getUint16(at + 2)))
    const offset = cmap.getUint32(at + 4)
    if (isUnicode) subtables.set(cmap.getUint16(offset), offset)
  }
  const [all, first] = [subtables.get(12), subtables.get(4)]
  if (all !== undefined) return glyphsOfGroups(cmap, all)
  if (first !== undefined) return glyphsOfSegments(cmap, first)
  return () => 0
}

function glyphsOfGroups(cmap: DataView, table: number): GlyphOf {
  const count = cmap.getUint32(table + 12)
  return (codePoint) => {
    const group =
      table + 16 + 12 * firstOf(count, (place) => cmap.getUint32(table + 20 + 12 * place) >= codePoint)
    if (group === table + 16 + 12 * count) return 0
    const start = cmap.getUint32(group)
    return codePoint < start ? 0 : cmap.getUint32(group + 8) + codePoint - start
  }
}

function glyphsOfSegments(cmap: DataView, table: number): GlyphOf {
  const size = cmap.getUint16(table + 6)
  const [ends, starts, deltas, ranges] = [14, 16 + size, 16 + 2 * size, 16 + 3 * size].map(
    (at) => table + at,
  ) as [number, number, number, number]
  return (codePoint) => {
    const segment = 2 * firstOf(size / 2, (place) => cmap.getUint16(ends + 2 * place) >= codePoint)
    if (segment === size || codePoint < cmap.getUint16(starts + segment)) return 0
    const delta = cmap.getUint16(deltas + segment)
    const range = cmap.getUint16(ranges + segment)
    if (range === 0) return (codePoint + delta) & 0xffff
    const glyph = cmap.getUint16(
      ranges + segment + range + 2 * (codePoint - cmap.getUint16(starts + segment)),
    )
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
}

/** The first place of a sorted table from which on `holds` is true; `count` where it never is. */
function firstOf(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
