import type { Material } from '../engines/material.js'
import type { FoundPassage } from './passage-search.js'

/** Most characters of what one reply is given. */
export const MOST_MATERIAL = 5_000

/** As much as fits, the best first. */
export const boundedMaterial = (passages: readonly FoundPassage[]): Material[] =>
  bounded(passages.map(materialOfPassage), MOST_MATERIAL)

/** What a server and the files have, the server's first. Its documents may be long: they leave up to half to the files. */
export function sharedMaterial(documents: readonly Material[], files: readonly Material[]): Material[] {
  const kept = Math.min(lengthOf(files), MOST_MATERIAL / 2)
  const first = bounded(documents, MOST_MATERIAL - kept)
  return [...first, ...bounded(files, MOST_MATERIAL - lengthOf(first))]
}

/** So many characters: of the first that does not fit its beginning, and nothing of those after it. */
function bounded(material: readonly Material[], most: number): Material[] {
  let left = most
  return material.flatMap(({ from, text }) => {
    const room = left - from.length
    left = Math.max(0, room - text.length)
    return room > 0 ? [{ from, text: text.slice(0, room) }] : []
  })
}

const lengthOf = (material: readonly Material[]): number =>
  material.reduce((sum, { from, text }) => sum + from.length + text.length, 0)

/** `menu.pdf, page 2` or `menu.md, Pizza`. */
function materialOfPassage({ file, page, heading, text }: FoundPassage): Material {
  const place = page !== null ? `page ${page}` : heading
  return { from: place === null ? file : `${file}, ${place}`, text }
}
