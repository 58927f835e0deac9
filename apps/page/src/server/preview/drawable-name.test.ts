import { dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Font, readBundledFonts } from './bundled-fonts.js'
import { drawableName } from './drawable-name.js'
import { SystemFonts } from './system-fonts.js'

let bundled: Font[]
beforeAll(async () => {
  bundled = (await readBundledFonts()).heading
})
const noMachine = new SystemFonts({ folders: [] })
const drawn = async (name: string) => (await drawableName(name, bundled, noMachine))?.name

describe('the drawable name', () => {
  it.each([
    'Ada',
    'Łódź & Sønner — “Smörgås”',
    'Phở Hòa Đặc Biệt',
    'Пекарня «Утро»',
    'Καφενείο η Ωραία Ελλάς',
    'مطعم الشرق الأوسط',
    'نان\u200cوایی تهران',
    'מאפיית השכונה',
  ])('is the whole of %s, by the bundled fonts alone', async (name) => {
    expect(await drawn(name)).toBe(name)
  })

  it.each([
    '山田株式会社',
    'शर्मा',
    'Ada 山',
    '\u{10ffff}\u{1fffe}',
    '\ue000',
    '',
    ' \n ',
    '\u200d',
    '\u0301',
    '🍕',
  ])('does not exist for %j, which would come out as boxes or as nothing', async (name) => {
    expect(await drawn(name)).toBeUndefined()
  })

  it.each([
    ['Joe’s Pizza 🍕👨\u200d👩\u200d👧 🇮🇹', 'Joe’s Pizza'],
    ['A 🍕 B', 'A B'],
    ['Ada\u0000\u0007\tCo', 'Ada Co'],
    ['Ada\ud800 \udc00Co\uffff', 'Ada Co'],
    ['\u202eevil\u202c \u2066x\u2069', 'evil x'],
    ['e\u0301te\u0301', 'été'],
  ])('of %j is %j', async (name, rest) => {
    expect(await drawn(name)).toBe(rest)
  })

  it('is cut off where nobody would read on', async () => {
    expect((await drawn('a'.repeat(100_000)))?.length).toBeLessThan(1_000)
  })

  it('takes a font of the machine for what the bundled ones lack', async () => {
    const [latin, , hebrew] = bundled
    if (!latin || !hebrew)
      throw new Error('the bundled fonts are Inter, Noto Sans Arabic and Noto Sans Hebrew')
    const machine = new SystemFonts({ folders: [dirname(hebrew.path), '/no/such/folder'] })
    expect(await drawableName('Ada א', [latin], noMachine)).toBeUndefined()
    const found = await drawableName('Ada אב', [latin], machine)
    expect([found?.name, found?.extra.map((font) => font.path)]).toEqual(['Ada אב', [hebrew.path]])
    expect((await drawableName('Ada', [latin], machine))?.extra).toEqual([])
    expect(await drawableName('Ada 山', [latin], machine)).toBeUndefined()
  })
})
