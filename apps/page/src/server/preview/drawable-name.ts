import type { Font } from './bundled-fonts.js'
import type { SystemFont, SystemFonts } from './system-fonts.js'

/** A name as the picture can show it, and the fonts of this machine that it takes beside the bundled ones. */
export interface DrawableName {
  name: string
  extra: SystemFont[]
}

/** No longer names are looked at, in UTF-16 units: far more than fits. */
const LONGEST = 400
/** What is not drawn by itself but steers the letters around it: joiners (Persian, Indic scripts) and direction marks. */
const STEERING = /[\u200c-\u200f]/u
/**
 * What a picture leaves out of any name: controls, lone surrogates and what else XML forbids, private characters, and
 * invisible ones; among those the overrides of direction, which would reach beyond the name.
 */
const UNSEEN =
  /\p{Cs}|\p{Co}|\p{Noncharacter_Code_Point}|(?![\u200c-\u200f])\p{Default_Ignorable_Code_Point}/gu
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u20e3/u

/**
 * The part of a name that can be drawn. Emoji that no font has are left out; for any other such character there is no
 * drawable name (undefined), as half a name greets nobody.
 */
export async function drawableName(
  given: string,
  bundled: readonly Font[],
  system: SystemFonts,
): Promise<DrawableName | undefined> {
  const name = tidy(given.slice(0, LONGEST))
  const missing = codePointsOf(name).filter(
    (codePoint) => !isSteering(codePoint) && !bundled.some((font) => font.has(codePoint)),
  )
  const found = await system.find(missing)
  const lost = new Set(missing.filter((codePoint) => !found.has(codePoint)))
  if ([...lost].some((codePoint) => !EMOJI.test(String.fromCodePoint(codePoint)))) return undefined
  const drawn = lost.size === 0 ? name : tidy(without(lost, name))
  if (!/\P{M}/u.test(drawn.replace(/[\s\u200c-\u200f]/gu, ''))) return undefined
  return { name: drawn, extra: [...new Map([...found.values()].map((font) => [font.path, font])).values()] }
}

/** A text without some of its characters, and without the joiners that held those together. */
const without = (lost: ReadonlySet<number>, text: string) =>
  [...text]
    .filter((character) => !lost.has(character.codePointAt(0) ?? 0))
    .join('')
    .replace(/(?<![\p{L}\p{M}])\u200d+|\u200d+(?![\p{L}\p{M}])/gu, '')

const tidy = (text: string) =>
  text
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

const codePointsOf = (text: string) => [...new Set(text)].map((character) => character.codePointAt(0) ?? 0)

const isSteering = (codePoint: number) => STEERING.test(String.fromCodePoint(codePoint))
