import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { sampleDocx, samplePdf } from '../../testing/sample-files.js'
import { docxText } from './docx-text.js'
import { type FileKind, fileKind, looksLike } from './file-kind.js'
import { parseFile } from './parse-file.js'

const parsed = (kind: FileKind, text: string | Uint8Array) =>
  parseFile(kind, typeof text === 'string' ? Buffer.from(text) : text)

it('reads a plain text', async () => {
  expect(await parsed('txt', '\ufeffOpen  daily.\r\n\r\n\r\n\r\nClosed on Monday.\0')).toEqual([
    { text: 'Open daily.\n\nClosed on Monday.' },
  ])
})

it('reads what old programs write', async () => {
  expect(await parsed('txt', Buffer.from('Caf\xe9', 'latin1'))).toEqual([{ text: 'Café' }])
  expect(await parsed('txt', Buffer.from('\ufeffCafé', 'utf16le'))).toEqual([{ text: 'Café' }])
})

it('reads the sections of Markdown, and no headings in code', async () => {
  const text = 'Before.\n# Pizza #\nMargherita 9 €\n```\n# no heading\n```\n## Drinks\nWater'
  expect(await parsed('md', text)).toEqual([
    { text: 'Before.' },
    { heading: 'Pizza', text: 'Margherita 9 €\n```\n# no heading\n```' },
    { heading: 'Drinks', text: 'Water' },
  ])
})

it('reads what a person sees of a page', async () => {
  const page =
    '<html><head><title>Acme</title><style>p{}</style></head><body><script>steal()</script><p>We bake&nbsp;bread &amp; cakes.</p>' +
    '<h2>Prices <b>today</b></h2><table><tr><td>Bread</td><td>4 €</td></tr></table><svg><text>no</text></svg></body></html>'
  expect(await parsed('html', page)).toEqual([
    { heading: 'Acme', text: 'We bake bread & cakes.' },
    { heading: 'Prices today', text: 'Bread | 4 € |' },
  ])
})

it('reads a page that is nested very deeply', async () => {
  const deep = `${'<div>'.repeat(20_000)}bottom${'</div>'.repeat(20_000)}`
  expect(await parsed('html', deep)).toEqual([{ text: 'bottom' }])
})

/** A megabyte of it. */
const filled = (shape: string) => shape.repeat(Math.floor(1_000_000 / shape.length))

// A reader whose work grows faster than the file is still at it when the test has run out of time.
it.each([
  ['elements that nobody closes', 'html', filled('<div><p>')],
  ['ends of what does not stand open', 'html', filled('<div></x>')],
  ['ends of elements that nobody closes', 'html', filled('<b>') + filled('</i>')],
  ['forms in each other', 'html', filled('<div><form>')],
  ['pictures in each other', 'html', `${filled('<svg><title>')}</svg>`],
  ['elements of all names', 'html', Array.from({ length: 100_000 }, (_, index) => `<a${index}>`).join('')],
  ['a heading full of spaces', 'md', `# ${filled('a ')}${filled(' ')}x`],
  ['a heading full of marks', 'md', `# ${filled(' #')}x`],
] as const)('reads a megabyte of %s', async (_what, kind, text) => {
  expect(await parsed(kind, `First.\n${text}`)).toMatchObject([{ text: expect.stringContaining('First.') }])
})

it('refuses a Word document whose elements are nested without end', async () => {
  const document = (depth: number) =>
    zipSync({
      'word/document.xml': strToU8(
        `${'<w:tbl>'.repeat(depth)}<w:p><w:t>bottom</w:t></w:p>${'</w:tbl>'.repeat(depth)}`,
      ),
    })
  expect(await parsed('docx', document(254))).toEqual([{ text: 'bottom' }])
  await expect(parsed('docx', document(255))).rejects.toThrow('nested more than 256 deep')
})

it.each([
  ['closes what a page leaves open', '<table><tr><td>a<td>b<tr><td>c</table>', 'a | b |\n\nc |'],
  ['closes what is in an element that ends', '<div><b>a<i>b</div>c', 'ab\nc'],
  [
    'ends lines where a page says so alone',
    'a<br>b</br>c<p>d<p>e</p>f</p>g',
    'a\n\nb\n\nc\nd\n\ne\n\nf\n\ng',
  ],
  ['knows pictures without an end', 'a<svg/>b<svg><path/></svg>c', 'abc'],
  ['ends a picture with what it stands in', '<div>a<svg><g>no</div>b', 'a\nb'],
] as const)('%s', async (_what, page, text) => {
  expect(await parsed('html', page)).toEqual([{ text }])
})

it('reads a table with the names of its columns in each row', async () => {
  expect(await parsed('csv', 'dish;price\nPizza;9\n"Pasta; fresh";11\n')).toEqual([
    { text: 'dish: Pizza; price: 9\n\ndish: Pasta; fresh; price: 11' },
  ])
})

it('reads a table with the line ends of old programs, and a text with as many commas as it is long', async () => {
  expect(await parsed('csv', 'dish,price\rPizza,9\r')).toEqual([{ text: 'dish: Pizza; price: 9' }])
  const commas = ','.repeat(3_000)
  expect(await parsed('csv', `dish,price\nPizza, "${commas}"\n`)).toEqual([
    { text: `dish: Pizza; price: ${commas}` },
  ])
})

it('reads the paragraphs and headings of a Word document', async () => {
  const document = sampleDocx(['Welcome.', '# Prices', 'Bread & butter: 4 €', 'Cake: 5 €'])
  expect(await parsed('docx', document)).toEqual([
    { text: 'Welcome.' },
    { heading: 'Prices', text: 'Bread & butter: 4 €\n\nCake: 5 €' },
  ])
})

it('reads the pages of a PDF', async () => {
  expect(await parsed('pdf', samplePdf(['Open from 9 (daily).', 'Closed on Monday.']))).toEqual([
    { page: 1, text: 'Open from 9 (daily).' },
    { page: 2, text: 'Closed on Monday.' },
  ])
})

it.each([
  ['a damaged PDF', 'pdf', '%PDF-1.4 and no more', /PDF cannot be read/],
  ['a damaged zip', 'docx', 'PK\u0003\u0004 and no more', /no Word document|cannot be unzipped/],
  ['a zip of something else', 'docx', zipSync({ 'other.xml': strToU8('<x/>') }), /no Word document/],
  ['an open quote', 'csv', '"open', /no CSV/],
  ['a row of commas', 'csv', `a,b\n${','.repeat(1_000)}`, /a row of more than 1000 fields\. Remove/],
  ['a page without words', 'html', '<script>only()</script>', /no text/],
  ['an empty text', 'txt', ' \n ', /no text/],
  ['headings without end', 'md', '# a\nb\n'.repeat(10_001), /more than 10000 headings or pages/],
  ['a text without end', 'txt', 'x'.repeat(2_000_001), /more than 2000000 characters/],
] as const)('says why it cannot read %s', async (_what, kind, content, reason) => {
  await expect(parsed(kind, content)).rejects.toThrow(reason)
})

it('unzips no more than it may of a small file that holds very much', () => {
  const bomb = zipSync({ 'word/document.xml': new Uint8Array(3_000_000) })
  expect(bomb.byteLength).toBeLessThan(10_000)
  expect(() => docxText(bomb, 2_000_000)).toThrow('more than 2 MB when it is unzipped')
})

it.each([
  ['menu.PDF', '', 'pdf'],
  ['page.htm', 'text/plain', 'html'],
  ['notes', 'text/markdown; charset=utf-8', 'md'],
  ['virus.exe', 'text/plain', undefined],
  ['notes', '', undefined],
])('takes %s of the type %j for %s', (name, type, kind) => {
  expect(fileKind(name, type)).toBe(kind)
})

it('knows a file that is not what its name says', () => {
  expect(looksLike('pdf', Buffer.from('<html>'))).toBe(false)
  expect(looksLike('txt', Buffer.from('MZ\0\0'))).toBe(false)
  expect(looksLike('docx', Buffer.from('text'))).toBe(false)
  expect(looksLike('csv', Buffer.from('a,b'))).toBe(true)
})
