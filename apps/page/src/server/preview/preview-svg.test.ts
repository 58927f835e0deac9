import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { type BundledFonts, readBundledFonts } from './bundled-fonts.js'
import { previewSvg } from './preview-svg.js'

let fonts: BundledFonts
beforeAll(async () => {
  fonts = await readBundledFonts()
})
const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)

describe('the picture', () => {
  it('greets, and says what there is to try', () => {
    expect(textsOf(previewSvg({ name: 'Ada', fonts }))).toEqual([
      'Hey Ada,',
      'This is a tool that answers customer calls,',
      'handles questions and guides customers.',
    ])
  })

  it('says only what there is to try when no name can be drawn', () => {
    const lines = textsOf(previewSvg({ fonts }))
    expect(lines.join(' ')).toBe(
      'This is a tool that answers customer calls, handles questions and guides customers.',
    )
  })

  it('keeps a hostile name a text', () => {
    const hostile = previewSvg({ name: `<b>"&amp;'</b>]]>`, fonts })
    expect(hostile.match(/<[a-z!/]+/gi)).toEqual(previewSvg({ name: 'Ada', fonts }).match(/<[a-z!/]+/gi))
    expect(textsOf(hostile)[0]).toBe('Hey &lt;b&gt;&quot;&amp;amp;&#39;&lt;/b&gt;]]&gt;,')
  })

  it.each([
    ['Ada', 'Inter'],
    ['مطعم', 'Noto Sans Arabic'],
    ['מאפייה', 'Noto Sans Hebrew'],
  ])('sets the whole greeting of %s in %s', (name, family) => {
    expect(previewSvg({ name, fonts })).toContain(`<g font-family="${family}" font-weight="600"`)
  })

  it('has the light colours of the page', () => {
    const tokens = readFileSync(new URL('../../styles/tokens.css', import.meta.url), 'utf8')
    const [lightTokens = ''] = tokens.split('@media')
    const light = [...lightTokens.matchAll(/--(paper|ink|muted|accent): (#\w+);/g)].map(
      ([, , colour]) => colour,
    )
    const drawn = [...previewSvg({ name: 'Ada', fonts }).matchAll(/fill="(#\w+)"/g)].map(
      ([, colour]) => colour,
    )
    expect(new Set(drawn)).toEqual(new Set(light))
  })
})
