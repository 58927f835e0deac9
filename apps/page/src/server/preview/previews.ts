import { createHash } from 'node:crypto'
import { readBundledFonts } from './bundled-fonts.js'
import { drawableName } from './drawable-name.js'
import { previewSvg } from './preview-svg.js'
import { SystemFonts } from './system-fonts.js'

/** Counts the picture's looks: a new one gets new addresses, as networks keep what they have. */
const LOOK = 1

/** Draws the picture for a visitor's name: a PNG of `PREVIEW_WIDTH` × `PREVIEW_HEIGHT` pixels, about 25 kB. */
export type PreviewImage = (name: string) => Promise<Uint8Array<ArrayBuffer>>

/**
 * Loads what draws the pictures: the renderer, which is native code, and the fonts. Rejects where the renderer does
 * not run, or a font is missing.
 */
export async function openPreviews(): Promise<PreviewImage> {
  const [{ renderAsync }, fonts] = await Promise.all([import('@resvg/resvg-js'), readBundledFonts()])
  const system = new SystemFonts()
  return async (name) => {
    const drawable = await drawableName(name, fonts.heading, system)
    const extra = drawable?.extra ?? []
    const svg = previewSvg({ ...(drawable && { name: drawable.name }), fonts, extra })
    const image = await renderAsync(svg, {
      font: {
        // What the machine has is named by file, so that nothing depends on it unless it must.
        loadSystemFonts: false,
        fontFiles: [...fonts.heading, fonts.text, ...extra].map((font) => font.path),
        defaultFontFamily: fonts.text.family,
      },
    })
    return new Uint8Array(image.asPng())
  }
}

/** Short text that differs between names, and between looks of the picture: for its address. */
export const previewVersion = (name: string): string =>
  createHash('sha256').update(`${LOOK} ${name}`).digest('base64url').slice(0, 8)
