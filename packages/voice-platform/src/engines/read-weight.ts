import type { ModelMessage } from './engine.js'

/** What letters weigh that a model reads as a token each, in characters of English: a quarter of a token. */
const COMMON = 4
/** A letter of a script that models hardly know, which they read byte by byte. */
const RARE = 12

/**
 * Ranges of UTF-16 code units, and what each unit weighs. Found with two tokenizers (o200k, cl100k): texts of some twenty languages, and random
 * letters of each range. Random letters of a common script may have three times as many tokens as they weigh here.
 */
const RANGES: readonly [from: number, to: number, weight: number][] = [
  [0x0000, 0x007f, 1],
  // Two bytes each; of these, the letters of many languages, of which words are made.
  [0x0080, 0x07ff, 8],
  [0x00a0, 0x00bf, COMMON],
  [0x00c0, 0x017f, 2],
  [0x0386, 0x03ce, 2],
  [0x0400, 0x0491, 2],
  [0x0531, 0x0587, COMMON],
  [0x05d0, 0x05ea, 2],
  [0x060c, 0x06d5, COMMON],
  [0x0621, 0x064a, 2],
  // India, Sri Lanka, Thailand, Laos; Burma, Georgia; Ethiopia; Cambodia; Vietnam.
  [0x0900, 0x0eff, COMMON],
  [0x1000, 0x10ff, COMMON],
  [0x1200, 0x137f, 8],
  [0x1780, 0x17ff, COMMON],
  [0x1e00, 0x1eff, COMMON],
  // Dashes, quotation marks, and signs of currencies.
  [0x2010, 0x2027, COMMON],
  [0x20a0, 0x20bf, COMMON],
  // Japan, China, Korea.
  [0x3000, 0x30ff, COMMON],
  [0x4e00, 0x9fff, COMMON],
  [0xac00, 0xd7a3, COMMON],
  [0xff00, 0xffef, COMMON],
  // Half of a character of four bytes, such as an emoji.
  [0xd800, 0xdfff, 8],
]

const WEIGHTS = new Uint8Array(0x1_0000).fill(RARE)
for (const [from, to, weight] of RANGES) WEIGHTS.fill(weight, from, to + 1)

/** How many characters of English a model reads as as many tokens, roughly. Never less than the text's length. */
export function readWeight(text: string): number {
  let weight = 0
  for (let at = 0; at < text.length; at++) weight += WEIGHTS[text.charCodeAt(at)] ?? RARE
  return weight
}

/** The same, but no more than common letters weigh: for what is allowed to a prompt because it is long. */
export const commonWeight = (text: string): number => Math.min(readWeight(text), COMMON * text.length)

/** The weight of all that a model reads of a message. */
export const messageWeight = ({ content, toolCalls = [] }: ModelMessage): number =>
  toolCalls.reduce(
    (sum, { name, arguments: given }) => sum + readWeight(name) + readWeight(JSON.stringify(given)),
    readWeight(content),
  )
