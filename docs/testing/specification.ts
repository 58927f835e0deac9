import { headingsOf, linesOf } from './markdown.js'

/**
 * The places of the specification that can be cited: `7` for the heading `## 7. …`, `7.5` for the heading `### 7.5 …`, and
 * `4.9` for the ninth step of the numbered list in section 4. Throws where two places have the same number, where one is
 * missing before it, and where a heading stands in another section.
 */
export function placesOf(specification: string): ReadonlySet<string> {
  const places = new Set<string>()
  let section = 0
  let last = 0
  const add = (number: number) => {
    if (number !== last + 1)
      throw new Error(`The specification goes from ${section}.${last} to ${section}.${number}.`)
    last = number
    places.add(`${section}.${number}`)
  }
  for (const line of linesOf(specification)) {
    const [, top] = /^## (\d+)\. /.exec(line) ?? []
    const [, parent, child] = /^### (\d+)\.(\d+) /.exec(line) ?? []
    const [, step] = /^(\d+)\. /.exec(line) ?? []
    if (top) {
      if (Number(top) !== section + 1)
        throw new Error(`The specification goes from section ${section} to ${top}.`)
      section += 1
      last = 0
      places.add(top)
    } else if (parent) {
      if (Number(parent) !== section)
        throw new Error(`The heading ${parent}.${child} stands in section ${section}.`)
      add(Number(child))
    } else if (step) add(Number(step))
  }
  if (headingsOf(specification).length === 0) throw new Error('The specification has no headings.')
  return places
}
