import { escapeHtml } from '../../document/escape-html.js'
import { TEXTS } from '../../document/texts.js'
import type { BundledFonts, Font } from './bundled-fonts.js'
import type { FontFace } from './font-file.js'
import { headingOf, LINE_HEIGHT, linesOf, type WidthOf } from './heading.js'
import { PREVIEW_HEIGHT, PREVIEW_WIDTH } from './preview-size.js'

/** The page's light colours (styles/tokens.css). */
const COLOURS = { paper: '#fbfaf7', ink: '#16191a', muted: '#505557', accent: '#0c6047' }
/** All in px. */
const MARGIN = 96
const PITCH = { width: 880, size: 34, line: 48 }
/** The five bars (styles/mark.css): heights, width and distance. */
const MARK = { heights: [0.28, 0.62, 1, 0.62, 0.28], height: 76, bar: 10, step: 20 }
const GAP = { mark: 52, heading: 34 }
/** Letters of large type stand closer, in em. */
const SPACING = -0.02

export interface PreviewContent {
  /** The drawable part of the visitor's name; without one the pitch is the heading. */
  name?: string
  fonts: BundledFonts
  /** Fonts of the machine, for what those lack. */
  extra?: readonly FontFace[]
}

/** The picture of a shared link, as the page looks: mark, greeting, pitch. */
export function previewSvg({ name, fonts, extra = [] }: PreviewContent): string {
  const text = name === undefined ? TEXTS.pitch : TEXTS.greeting(name)
  const whole = wholeFont(text, fonts.heading)
  const measured = whole ? [whole] : [...fonts.heading, ...extra]
  const heading = headingOf(text, PREVIEW_WIDTH - 2 * MARGIN, widthOf(measured, SPACING))
  const step = heading.size * LINE_HEIGHT
  const pitch =
    name === undefined ? [] : linesOf(TEXTS.pitch, PITCH.width / PITCH.size, widthOf([fonts.text]))
  const headingHeight = heading.lines.length * step
  const pitchHeight = pitch.length === 0 ? 0 : GAP.heading + pitch.length * PITCH.line
  const top = Math.round((PREVIEW_HEIGHT - MARK.height - GAP.mark - headingHeight - pitchHeight) / 2)
  // The first baseline lies about a capital's height below the top of its line.
  const headingTop = top + MARK.height + GAP.mark + heading.size * 0.87
  const pitchTop = top + MARK.height + GAP.mark + headingHeight + GAP.heading + PITCH.size
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_WIDTH}" height="${PREVIEW_HEIGHT}">
<rect width="100%" height="100%" fill="${COLOURS.paper}"/>
${mark(top)}
<g font-family="${(whole ?? fonts.text).family}" font-weight="600" font-size="${heading.size}" letter-spacing="${SPACING * heading.size}" fill="${COLOURS.ink}">
${linesAt(heading.lines, headingTop, step)}
</g>
<g font-family="${fonts.text.family}" font-size="${PITCH.size}" fill="${COLOURS.muted}">
${linesAt(pitch, pitchTop, PITCH.line)}
</g>
</svg>`
}

function mark(top: number): string {
  const bars = MARK.heights.map((share, place) => {
    const height = share * MARK.height
    const y = top + (MARK.height - height) / 2
    return `<rect x="${MARGIN + place * MARK.step}" y="${y}" width="${MARK.bar}" height="${height}" rx="${MARK.bar / 2}"/>`
  })
  return `<g fill="${COLOURS.accent}">${bars.join('')}</g>`
}

const linesAt = (lines: readonly string[], top: number, step: number) =>
  lines
    .map(
      (line, place) =>
        `<text x="${MARGIN}" y="${top + place * step}" xml:space="preserve">${escapeHtml(line)}</text>`,
    )
    .join('\n')

/** The first font that has every letter: a greeting in two of them looks like a mistake. */
function wholeFont(text: string, fonts: readonly Font[]): Font | undefined {
  const letters = [...text].filter((letter) => !/[\s\u200c-\u200f]/u.test(letter))
  return fonts.find((font) => letters.every((letter) => font.has(letter.codePointAt(0) ?? 0)))
}

/** The width of a text in the widest of the fonts: where a font lacks a letter, the renderer may change it for all. */
const widthOf =
  (fonts: readonly FontFace[], spacing = 0): WidthOf =>
  (text) =>
    [...text].reduce((width, letter) => {
      const codePoint = letter.codePointAt(0) ?? 0
      const advance = Math.max(...fonts.map((font) => font.advance(codePoint)))
      return width + (advance === 0 ? 0 : advance + spacing)
    }, 0)
