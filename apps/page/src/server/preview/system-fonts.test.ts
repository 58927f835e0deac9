import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FontFace } from './font-file.js'
import { SystemFonts, type SystemFontsOptions } from './system-fonts.js'

const [A, B, C, D] = [0x41, 0x42, 0x43, 0x44]

/** The machine's files, by what each has; looked at in the order of their names. */
const FILES: Record<string, FontFace | undefined> = {
  'a.ttf': face((codePoint) => codePoint === A),
  'b.ttf': face((codePoint) => codePoint === B),
  'c.ttf': undefined,
  'd.ttf': face(
    (codePoint) => {
      if (codePoint === C) return true
      throw new RangeError('beyond the end of the table')
    },
    () => {
      throw new RangeError('beyond the end of the table')
    },
  ),
}

function face(has: FontFace['has'], advance: FontFace['advance'] = () => 0.5): FontFace {
  return { has, advance, bytes: 10 }
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heyline-fonts-'))
  for (const name of Object.keys(FILES)) writeFileSync(join(folder, name), '')
})
afterAll(() => rmSync(folder, { recursive: true }))

function machine(limits: SystemFontsOptions = {}) {
  const reads: string[] = []
  const read = async (path: string) => {
    const name = basename(path)
    reads.push(name)
    const font = FILES[name]
    if (name === 'c.ttf') throw new Error('no font at all')
    return font
  }
  return { reads, fonts: new SystemFonts({ folders: [folder], read, ...limits }) }
}

const filesOf = async (fonts: SystemFonts, ...codePoints: number[]) =>
  [...(await fonts.find(codePoints))].map(([codePoint, { path }]) => [codePoint, basename(path)])

describe('the fonts of the machine', () => {
  it('are read once each, whoever asks for what and when', async () => {
    const { fonts, reads } = machine()
    await Promise.all([fonts.find([A]), fonts.find([B]), fonts.find([D])])
    expect(await filesOf(fonts, A, B, C, D)).toEqual([
      [A, 'a.ttf'],
      [B, 'b.ttf'],
      [C, 'd.ttf'],
    ])
    await fonts.find([D, 0x45, 0x46])
    expect(reads).toEqual(['a.ttf', 'b.ttf', 'c.ttf', 'd.ttf'])
  })

  it('are one font, for however many of its characters', async () => {
    const { fonts } = machine()
    const [first] = (await fonts.find([A])).values()
    const again = await fonts.find([A, B])
    expect(again.get(A)).toBe(first)
  })

  it('are not opened any more when they take too much memory', async () => {
    const { fonts, reads } = machine({ mostBytes: 10 })
    expect(await filesOf(fonts, A, B)).toEqual([[A, 'a.ttf']])
    expect(reads).toEqual(['a.ttf'])
  })

  it('are not searched again for a character that none of them has, while it is remembered', async () => {
    let asked = 0
    const counting = face(() => {
      asked++
      return false
    })
    const read = async (path: string) => (basename(path) === 'a.ttf' ? counting : undefined)
    const fonts = new SystemFonts({ folders: [folder], read, mostCharacters: 2 })
    for (const codePoint of [C, C, D, C]) await fonts.find([codePoint])
    expect(asked).toBe(2)
    await fonts.find([A])
    await fonts.find([D])
    expect(asked).toBe(3)
    await fonts.find([C])
    expect(asked).toBe(4)
  })

  it('do no harm when they are broken', async () => {
    const font = (await machine().fonts.find([C])).get(C)
    expect([font?.advance(C), font?.has(D), font?.advance(D)]).toEqual([1, false, 0])
  })
})
