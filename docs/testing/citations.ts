import { codeOf, rowsOf } from './markdown.js'
import type { Text } from './tree.js'

/** A place of a numbered document that a text names: `7`, `7.5`. */
export interface Citation {
  path: string
  /** As it is written. */
  text: string
  place: string
}

const NUMBERS = /\d+(?:\.\d+)*(?:(?:, | and )\d+(?:\.\d+)*)*/.source
const STEPS = `(?:reads?|steps?) (${NUMBERS})`
/**
 * `spec 7.5`, `spec 2, 4, 5`, `(specification, 7 and 9)`, `spec 4, step 9`, `reads 2 and 3 of spec 7`; a colon or any other
 * word ends it, as in `spec 7: 250`.
 */
const CITATION = new RegExp(`(?:${STEPS} of )?\\bspec(?:ification)?,? (${NUMBERS})(?:, ${STEPS})?`, 'gi')
/** What looks like a citation; one that `CITATION` does not read is written in a form that nobody checks. */
const LOOK_ALIKE =
  /\bspec(?:ification)?(?:'s|’s|s)?[\s,.:;(§#]{1,3}(?:(?:section|part|point|chapter|paragraph|no)\b[\s.]*)?\d[\d.]*/gi

/** The text with its lines in one, so that a citation may go over the end of a line of a comment. */
const inOneLine = (text: string): string => text.replaceAll(/[ \t]*\n[ \t]*(?:\*|\/\/|--|#)?[ \t]*/g, ' ')

/** All citations of the specification. Throws for one in a form that is none of ours. */
export function citationsOf({ path, text }: Text): Citation[] {
  const line = inOneLine(text)
  const found = [...line.matchAll(CITATION)]
  for (const { 0: like, index } of line.matchAll(LOOK_ALIKE))
    if (!found.some((match) => match.index <= index && index < match.index + match[0].length))
      throw new Error(`${path}: '${like}' is no way to cite the specification; write 'spec 7' or 'spec 7.5'.`)
  return found.flatMap(([cited, before, sections = '', after]) => {
    const steps = numbersOf(before ?? after)
    const places = numbersOf(sections)
    const all = steps.length === 0 ? places : steps.map((step) => `${places.at(-1)}.${step}`)
    return all.map((place) => ({ path, text: cited, place }))
  })
}

/** The first cells of the deviations' table, each of which begins with a place: `7.5: …`, `7: read 3 …`. */
export function deviationsOf({ path, text }: Text): Citation[] {
  return rowsOf(text).map(([cell = '']) => {
    const [cited = '', section = '', step] = /^(\d+(?:\.\d+)?): (?:(?:read|step) (\d+)\b)?/.exec(cell) ?? []
    if (cited === '') throw new Error(`${path}: '${cell}' does not begin with a place of the specification.`)
    return { path, text: cell, place: step ? `${section}.${step}` : section }
  })
}

/** The defects that a text names: `(defect 4)`, `defects 5, 7`. */
export function defectsOf({ path, text }: Text): Citation[] {
  return [...inOneLine(text).matchAll(new RegExp(`\\bdefects? (${NUMBERS})`, 'gi'))].flatMap(
    ([cited, numbers = '']) => numbersOf(numbers).map((place) => ({ path, text: cited, place })),
  )
}

const numbersOf = (list = ''): string[] => list.match(/\d+(?:\.\d+)*/g) ?? []

const TOP = 'apps|bench|docs|e2e|examples|fuzz|packages|scripts|supabase'
/** A path from the root, to a file or a folder; not one with a wildcard, and not what a build makes. */
const PATH = new RegExp(`(?<![\\w./@-])(?:${TOP})/[\\w./-]*\\w/?(?![\\w{-]|\\*(?!\\*))`, 'g')

/** The paths from the root that a text names. */
export const pathsOf = (text: string): string[] =>
  (text.match(PATH) ?? []).filter((path) => !path.split('/').includes('dist'))

/** The comments of code, a line each: what follows `//` and `--`, and the lines of a block. */
export const commentsOf = (code: string): string =>
  Array.from(
    code.matchAll(/(?:^|\s)(?:\/\/|--)\s(.*)$|^\s*\/?\*+\s(.*)$/gm),
    ([, line, block]) => line ?? block,
  ).join('\n')

/** The names of files by themselves that stand in code: `options.ts`. */
export const fileNamesOf = (markdown: string): string[] =>
  codeOf(markdown).filter((code) => /^[\w.-]+\.(?:tsx?|mjs|sql|css|md)$/.test(code))
