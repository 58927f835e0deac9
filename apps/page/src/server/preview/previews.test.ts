import { beforeAll, describe, expect, it } from 'vitest'
import { openPreviews, type PreviewImage, previewVersion } from './previews.js'

let draw: PreviewImage
beforeAll(async () => {
  draw = await openPreviews()
})

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const sizeOf = (png: Uint8Array) => {
  const view = new DataView(png.buffer, png.byteOffset)
  return [view.getUint32(16), view.getUint32(20)]
}

describe('the picture of a shared link', () => {
  it.each([
    ['one letter', 'X'],
    ['200 letters', 'Wohnungsbaugenossenschaft '.repeat(8).slice(0, 200)],
    ['200 letters without a space', 'W'.repeat(200)],
    ['Arabic', 'مطعم الشرق الأوسط'],
    ['Hebrew', 'מאפיית השכונה'],
    ['emoji', 'Pizza 🍕'],
    ['no drawable letter', '\u{50000}'],
    ['hostile', '</text><script>"&\u0000\ud800\u202e]]>\uffff'],
  ])('is a small PNG of 1200 × 630 for a name of %s', async (_, name) => {
    const png = await draw(name)
    expect([...png.subarray(0, 8)]).toEqual(SIGNATURE)
    expect(sizeOf(png)).toEqual([1200, 630])
    expect(png.length).toBeLessThan(70_000)
  })

  it('is the same for the same name, and another for another', async () => {
    const [ada, again, acme, arabic] = await Promise.all(['Ada', 'Ada', 'Acme', 'مطعم'].map(draw))
    expect(ada).toEqual(again)
    expect(ada).not.toEqual(acme)
    expect(acme).not.toEqual(arabic)
  })

  it('shows no name rather than boxes', async () => {
    expect(await draw('\u{50000}')).toEqual(await draw(''))
    expect(await draw('\u{50000}')).not.toEqual(await draw('Ada'))
  })
})

it('gives every name an address of its own', () => {
  expect(previewVersion('Ada')).toMatch(/^[\w-]{8}$/)
  expect(previewVersion('Ada')).not.toBe(previewVersion('ada'))
})
