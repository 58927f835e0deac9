import { describe, expect, it } from 'vitest'
import { type Citation, citationsOf, defectsOf, deviationsOf } from './testing/citations.js'
import { rowsOf } from './testing/markdown.js'
import { placesOf } from './testing/specification.js'
import { textOf, textsOfTree } from './testing/tree.js'

const places = placesOf(textOf('docs/specification.md'))
const code = textsOfTree('.ts', '.tsx', '.mjs', '.css', '.sql')
const all = [...code, ...textsOfTree('.md')]
const deviations = { path: 'docs/decisions/deviations.md', text: textOf('docs/decisions/deviations.md') }
const defects = new Set(rowsOf(textOf('docs/web-call-defects.md')).map(([number = '']) => number))

const lost = (citations: readonly Citation[], known: ReadonlySet<string> = places): Citation[] =>
  citations.filter(({ place }) => !known.has(place))
const placesIn = (text: string) => citationsOf({ path: 'planted.ts', text }).map(({ place }) => place)
// Written in two parts, so that this file cites nothing wrong itself.
const SPEC = 'spec'

describe('the specification', () => {
  it('has sections 1 to 9, and the parts and steps that are cited by number', () => {
    const sections = [...places].filter((place) => !place.includes('.'))
    expect(sections).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    for (const place of ['2.1', '2.3', '4.1', '4.10', '7.1', '7.5']) expect(places).toContain(place)
    for (const place of ['2.4', '4.11', '7.6', '10']) expect(places).not.toContain(place)
  })

  it.each([
    ['a section twice', '## 1. A\n## 1. B', 'from section 1 to 1'],
    ['a section left out', '## 1. A\n## 3. B', 'from section 1 to 3'],
    ['a part of another section', '## 1. A\n### 2.1 B', 'stands in section 1'],
    ['a part left out', '## 1. A\n### 1.2 B', 'from 1.0 to 1.2'],
    ['a second list of steps', '## 1. A\n1. B\n\nC\n\n1. D', 'from 1.1 to 1.1'],
  ])('must not have %s', (_name, text, message) => {
    expect(() => placesOf(text)).toThrow(message)
  })

  it('is not read inside fenced code', () => {
    expect([...placesOf('## 1. A\n```\n## 7. B\n1. C\n```\n1. D')]).toEqual(['1', '1.1'])
  })
})

describe('a citation', () => {
  it.each([
    [' 7.5', ['7.5']],
    [' 2, 4, 5, 8', ['2', '4', '5', '8']],
    [' 5 and 9', ['5', '9']],
    ['ification, 7 and 9', ['7', '9']],
    [' 7: 250', ['7']],
    [" 3's four columns", ['3']],
    [' 4, step 9', ['4.9']],
    [', 3', ['3']],
    ['\n * 7.5', ['7.5']],
  ])(`'${SPEC}%s' is read`, (rest, expected) => {
    expect(placesIn(`A rule (${SPEC}${rest}).`)).toEqual(expected)
  })

  it('may name reads and steps before the section', () => {
    expect(placesIn(`Reads 2 and 3 of ${SPEC} 7`)).toEqual(['7.2', '7.3'])
    expect(placesIn(`Step 9 of ${SPEC} 4`)).toEqual(['4.9'])
  })

  it.each([' §7', ' section 7', '. 7', 'ification: 7'])(`'${SPEC}%s' is refused`, (rest) => {
    expect(() => placesIn(`${SPEC}${rest}`)).toThrow('is no way to cite')
  })

  it.each([' 10', ' 7.6', ' 2, 11', ' 4, step 11'])(`'${SPEC}%s' leads nowhere`, (rest) => {
    expect(lost(citationsOf({ path: 'planted.ts', text: `/** ${SPEC}${rest} */` }))).toHaveLength(1)
  })
})

it('every citation of the specification leads to a place of it', () => {
  const citations = all.flatMap(citationsOf)
  expect(lost(citations)).toEqual([])
  // Were there none, the files would not have been read.
  expect(citations.length).toBeGreaterThan(80)
})

describe('the deviations', () => {
  it('each begin with a place of the specification', () => {
    const citations = deviationsOf(deviations)
    expect(lost(citations)).toEqual([])
    expect(citations.length).toBeGreaterThan(20)
  })

  it('may not begin with another, or with none', () => {
    const table = (cell: string) => ({ path: 'planted.md', text: `| a |\n| - |\n| ${cell} |` })
    expect(lost(deviationsOf(table('7.9: a rule')))).toHaveLength(1)
    expect(lost(deviationsOf(table('7: read 6 is another')))).toHaveLength(1)
    expect(() => deviationsOf(table('the rule'))).toThrow('does not begin with a place')
  })
})

describe('the defects of earlier helpers', () => {
  it('are on their page, when a text names their number', () => {
    const citations = code.flatMap(defectsOf)
    expect(lost(citations, defects)).toEqual([])
    expect(citations.length).toBeGreaterThan(30)
  })

  it('are missed when their page has them not', () => {
    const named = defectsOf({ path: 'planted.ts', text: `(${'defects'} 5, 99)` })
    expect(lost(named, defects).map(({ place }) => place)).toEqual(['99'])
  })
})
