import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commentsOf, fileNamesOf, pathsOf } from './testing/citations.js'
import { codeOf, headingsOf, linksOf, rowsOf } from './testing/markdown.js'
import { filesOfTree, isInTree, type Text, textOf, textsOfTree } from './testing/tree.js'

const pages = textsOfTree('.md').filter(({ path }) => path !== 'THIRD_PARTY_NOTICES.md')
const docs = pages.filter(({ path }) => path.startsWith('docs/'))
const comments = textsOfTree('.ts', '.tsx', '.mjs', '.css', '.sql').map(({ path, text }) => ({
  path,
  text: commentsOf(text),
}))
const files = new Set(filesOfTree())
const names = new Set([...files].map((path) => posix.basename(path)))

/** The links of a page that lead nowhere: to no file, or to no heading of a page. */
function lostLinks({ path, text }: Text): string[] {
  return linksOf(text)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = '', fragment] = decodeURI(link).split('#')
      const target = file === '' ? path : posix.join(posix.dirname(path), file)
      if (file !== '' && (target.startsWith('..') || !isInTree(target))) return true
      if (fragment === undefined) return false
      const page = file === '' ? text : textOf(target)
      return !target.endsWith('.md') || !headingsOf(page).some(({ anchor }) => anchor === fragment)
    })
    .map((link) => `${path}: ${link}`)
}

/** The files and folders that a text names and that are not there. */
const lostPaths = ({ path, text }: Text): string[] =>
  pathsOf(text)
    .filter((named) => !isInTree(named))
    .map((named) => `${path}: ${named}`)

/** The names of files by themselves that no file of the tree has. */
const lostNames = ({ path, text }: Text): string[] =>
  fileNamesOf(text)
    .filter((name) => !names.has(name))
    .map((name) => `${path}: ${name}`)

/** In a row whose second cell is a file and whose third has names in code: those that the file does not hold. */
const lostIdentifiers = ({ path, text }: Text): string[] =>
  rowsOf(text).flatMap(([, where = '', wanted = '']) => {
    const [file = ''] = codeOf(where)
    if (!files.has(file)) return []
    const source = textOf(file)
    return codeOf(wanted)
      .filter((name) => !holdsWord(source, name.replace(/\(\)$/, '')))
      .map((name) => `${path}: ${name} in ${file}`)
  })

/** `look` is not held by `lookup`. */
const holdsWord = (source: string, word: string): boolean =>
  source
    .split(word)
    .slice(1)
    .some((after, index) => !/^\w/.test(after) && !/[\w#]$/.test(source.split(word)[index] ?? ''))

const planted = (text: string): Text => ({ path: 'docs/planted.md', text })

describe('a link of a page', () => {
  it('leads to a file, and to a heading of it', () => {
    expect(pages.flatMap(lostLinks)).toEqual([])
  })

  it.each([
    ['to a file that is not there', '[a](no-such-page.md)'],
    ['out of the tree', '[a](../../package.json)'],
    ['to a heading that is not there', '[a](specification.md#75-no-such-heading)'],
    ['to a heading of its own that is not there', '# Here\n\n[a](#there)'],
    ['to a heading of a file without any', '[a](../package.json#name)'],
  ])('%s is found out', (_name, text) => {
    expect(lostLinks(planted(text))).toHaveLength(1)
  })

  it.each([
    '[a](specification.md#75-the-browser-call)',
    '[a](../README.md)',
    '[a](https://example.com/none)',
    '# The same\n\n# The same\n\n[a](#the-same-1)',
    '`[a](none.md)`',
    '```md\n[a](none.md)\n```',
  ])('%j is a good one', (text) => {
    expect(lostLinks(planted(text))).toEqual([])
  })
})

it('every page of docs/ is in its index', () => {
  const listed = linksOf(textOf('docs/README.md')).map((link) => posix.join('docs', link))
  expect(docs.map(({ path }) => path).filter((path) => !listed.includes(path))).toEqual(['docs/README.md'])
})

describe('a path from the root', () => {
  it('that a page or a comment names is there', () => {
    expect([...pages, ...comments].flatMap(lostPaths)).toEqual([])
  })

  it('is missed where there is no such file', () => {
    expect(lostPaths(planted('See `packages/web-call/src/none.ts` and packages/web-call/src.'))).toHaveLength(
      1,
    )
  })

  it('is looked for in the comments of code alone', () => {
    // Put together here, so that this file names no lost path itself.
    const folder = 'docs'
    const code = `const a = '${folder}/none.md' // ${folder}/one.md\n/**\n * ${folder}/two.md\n */\n-- ${folder}/three.md`
    expect(lostPaths(planted(commentsOf(code)))).toEqual(
      ['one', 'two', 'three'].map((name) => `docs/planted.md: docs/${name}.md`),
    )
  })
})

describe('a file name by itself', () => {
  it('that a page of docs/ or a comment names is some file’s', () => {
    expect([...docs, ...comments].flatMap(lostNames)).toEqual([])
  })

  it('is missed where no file has it', () => {
    expect(lostNames(planted('`none-such.ts` and `placesOf`'))).toEqual(['docs/planted.md: none-such.ts'])
  })
})

describe('a name beside its file in the walks', () => {
  const path = 'docs/follow-one-call.md'
  const walks = { path, text: textOf(path) }

  it('stands in that file', () => {
    expect(lostIdentifiers(walks)).toEqual([])
  })

  it('stands beside one in every row', () => {
    const rows = rowsOf(walks.text)
    expect(rows.length).toBeGreaterThan(60)
    for (const [, where = '', wanted = ''] of rows) {
      expect(files).toContain(codeOf(where)[0])
      expect(codeOf(wanted)).not.toEqual([])
    }
  })

  it('is missed where it does not', () => {
    const row = '| 1 | `docs/testing/tree.ts` | `textOf()`, `noSuchName` |'
    const folder = '| 2 | `docs/testing` | `textOf()` |'
    expect(lostIdentifiers(planted(`| a | b | c |\n| - | - | - |\n${row}\n${folder}`))).toEqual([
      'docs/planted.md: noSuchName in docs/testing/tree.ts',
    ])
  })
})
