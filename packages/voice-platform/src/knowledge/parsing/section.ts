/** A part of a document that stands together. */
export interface Section {
  /** What stands above it. */
  heading?: string
  /** Of a document with pages, from 1. */
  page?: number
  text: string
}

/** Most characters that are read from one file: some 400,000 words. */
export const MOST_TEXT = 2_000_000
/** Most headings and pages of one file: each has a passage at least, and those keep the database busy. */
export const MOST_SECTIONS = 10_000
/** Longest heading that is kept, in characters. */
export const MOST_HEADING = 200

/** Why a file cannot be read: told to whoever sent it. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** Collects what is read, up to `MOST_TEXT` characters and `MOST_SECTIONS` sections. Throws an `UnreadableFile` beyond. */
export class Sections {
  readonly #sections: Section[] = []
  #left = MOST_TEXT

  add({ heading, page, text }: Section): void {
    const kept = tidied(text)
    if (kept === '') return
    this.#left -= kept.length
    if (this.#left < 0)
      throw new UnreadableFile(`The file has more than ${MOST_TEXT} characters of text: split it.`)
    if (this.#sections.length >= MOST_SECTIONS)
      throw new UnreadableFile(`The file has more than ${MOST_SECTIONS} headings or pages: split it.`)
    const above = heading && oneLine(heading).slice(0, MOST_HEADING)
    this.#sections.push({ ...(above && { heading: above }), ...(page !== undefined && { page }), text: kept })
  }

  /** Throws an `UnreadableFile` where nothing was read. */
  all(): Section[] {
    if (this.#sections.length === 0) throw new UnreadableFile('The file has no text that can be read.')
    return this.#sections
  }
}

export const oneLine = (text: string): string => tidied(text).replace(/\s+/g, ' ')

/** A half of a pair of surrogates cannot be stored. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd')

/** Without what cannot be stored, without spaces at the ends of lines, with one empty line at most. */
function tidied(text: string): string {
  return wellFormed(text)
    .replaceAll('\0', '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
