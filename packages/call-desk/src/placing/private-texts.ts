/** Seven or more digits in a row, also with separators between them: that may be a phone number, however it is written. */
const NUMBERS = /\+?\p{Nd}(?:[^\p{L}\p{N}]{0,8}\p{Nd}){6,}/gu

/** Two texts with a piece of this length in common are no coincidence. In letters and digits. */
const SHARED_LENGTH = 12

/** A shorter text is not private: "Hi" is part of many words. */
const SHORTEST = 6

/** Letters and digits alone, so that neither space nor quotation hides a text. */
const bare = (text: string): string =>
  text
    .replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** A text with its numbers taken out, or undefined where it holds a piece of one of the private texts. */
export function withoutPrivate(text: string, privateTexts: readonly string[]): string | undefined {
  const heard = bare(text)
  if (privateTexts.some((own) => shares(heard, bare(own)))) return undefined
  return text.normalize('NFKC').replaceAll(NUMBERS, '[number]')
}

function shares(heard: string, own: string): boolean {
  if (own.length < SHORTEST) return false
  if (own.length <= SHARED_LENGTH) return heard.includes(own)
  const pieces = new Set<string>()
  for (let start = 0; start + SHARED_LENGTH <= heard.length; start++)
    pieces.add(heard.slice(start, start + SHARED_LENGTH))
  for (let start = 0; start + SHARED_LENGTH <= own.length; start++)
    if (pieces.has(own.slice(start, start + SHARED_LENGTH))) return true
  return false
}
