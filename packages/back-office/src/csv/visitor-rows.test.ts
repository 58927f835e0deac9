import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { BadRow } from './csv-records.js'
import { csvHeader, csvRows } from './csv-text.js'
import { FILE_COLUMNS } from './visitor-columns.js'
import { readVisitorRows, type VisitorRow } from './visitor-rows.js'

const path = mkdtempSync(join(tmpdir(), 'heyline-csv-'))
afterAll(() => rmSync(path, { recursive: true }))

async function read(content: string | Uint8Array) {
  const file = join(path, 'visitors.csv')
  writeFileSync(file, content)
  const rows: VisitorRow[] = []
  const bad: BadRow[] = []
  for await (const part of readVisitorRows(file)) {
    rows.push(...part.rows)
    bad.push(...part.bad)
  }
  return { rows, bad }
}

const LINES = ['name,slug,first_message', 'One,one,"a', 'b ""c"""', '', 'Two,two,', 'Three,three,x y ']

it.each([
  ['LF', LINES.join('\n')],
  ['CRLF', `${LINES.join('\r\n')}\r\n`],
  ['a byte order mark', `\uFEFF${LINES.join('\n')}\n`],
])('reads quoted fields, in the order of the header, with %s', async (_, text) => {
  const { rows, bad } = await read(text)
  expect(bad).toEqual([])
  const newline = text.includes('\r') ? '\r\n' : '\n'
  expect(rows).toEqual([
    { line: 2, visitor: { slug: 'one', name: 'One', firstMessage: `a${newline}b "c"`, listed: false } },
    { line: 5, visitor: { slug: 'two', name: 'Two', firstMessage: '', listed: false } },
    { line: 6, visitor: { slug: 'three', name: 'Three', firstMessage: 'x y ', listed: false } },
  ])
})

it.each([
  ['', 1, /^the file is empty/],
  ['slug,name,nmae\n', 1, /^unknown column "nmae"/],
  ['slug;name\na;A\n', 1, /^unknown column "slug;name".*separated by commas/],
  ['name\nA\n', 1, /^column "slug" is missing$/],
  ['slug\na\n', 1, /^column "name" is missing$/],
  ['slug,name,slug\n', 1, /^column "slug" is there twice$/],
  ['slug,name\na b,A\n', 2, /^slug "a b": A slug is a letter or digit/],
  ['slug,name\na,\n', 2, /^A visitor needs a name$/],
  ['slug,name\na,"A\nB"\n', 2, /^A name is one line/],
  ['slug,name\na\n', 2, /^1 field where the header has 2$/],
  ['slug,name\na,A,x\n', 2, /^3 fields where the header has 2$/],
  ['slug,name,listed\na,A,maybe\n', 2, /^listed is "maybe"/],
  ['slug,name,system\na,A,x\0y\n', 2, /NUL/],
  ['slug,system,name\r\na,"A\r\nB",A\r\nb,B"q\r\n', 4, /^a quote stands inside/],
  ['slug,system,name\r\na,"A\r\nB",A\r\nb,"B"q\r\n', 4, /^something stands behind a closing quote/],
  ['slug,system,name\r\na,"A\r\nB",A\r\nb,"B\r\nC\r\n', 4, /^a quote is never closed/],
  ['slug,system,name\na,"A\nB",A\nb,"B\nC\n', 4, /^a quote is never closed/],
  [`slug,name\na,"${'x'.repeat(400_000)}"\n`, 2, /^longer than 300000 characters/],
])('names what it can not take: %#', async (text, line, reason) => {
  const { bad } = await read(text)
  expect(bad[0]).toEqual({ line, reason: expect.stringMatching(reason) })
})

it('names a line that is not UTF-8, wherever a chunk of the file ends, and a file that is UTF-16', async () => {
  const many = 'x,é\n'.repeat(40_000)
  const latin = Buffer.concat([Buffer.from(`slug,name\n${many}`), Buffer.from('y,\xe9\n', 'latin1')])
  const { bad } = await read(latin)
  expect(bad).toEqual([{ line: 40_002, reason: 'not UTF-8: save the file as CSV UTF-8' }])
  expect((await read(Buffer.from('\uFEFFslug,name\n', 'utf16le'))).bad[0]).toEqual({
    line: 1,
    reason: 'the file is UTF-16: save it as CSV UTF-8',
  })
})

it('reads what is written, unchanged', async () => {
  const texts = ['=1+1', ' spaces ', '"quoted", comma', 'a\nb\r\nc', 'é 日本 🎉', '', '\ttab']
  const visitors = texts.map((text, index) => ({
    slug: `v${index}`,
    name: 'A, "B"',
    system: text || null,
    first_message: text || null,
    listed: index === 1,
  }))
  const { rows, bad } = await read(csvHeader(FILE_COLUMNS) + csvRows(FILE_COLUMNS, visitors))
  expect(bad).toEqual([])
  expect(rows.map(({ visitor }) => visitor)).toEqual(
    visitors.map(({ slug, name, system, first_message, listed }) => ({
      slug,
      name,
      system: system ?? '',
      firstMessage: first_message ?? '',
      listed,
    })),
  )
})

it('writes for spreadsheets no cell that is a formula there', async () => {
  const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', 'plain', 'a=b', '']
  const visitors = cells.map((name, at) => ({ slug: `v${at}`, name, system: null, first_message: null }))
  const rows = csvRows(['slug', 'name'], visitors, { safe: true })
  expect(rows.split('\r\n').slice(0, -1)).toEqual([
    "v0,'=1+1",
    "v1,'+1",
    "v2,'-1",
    "v3,'@SUM(A1)",
    `v4,"'\t'=1"`,
    `v5,"'\r'=1"`,
    "v6,' =1",
    "v7,'＝1",
    'v8,plain',
    'v9,a=b',
    'v10,',
  ])
})

it.each([
  ['a;=1+1', `"a;'=1+1"`],
  ['a; @SUM(A1)', `"a;' @SUM(A1)"`],
  ['a\t+1', `"a\t'+1"`],
  ['a\n-1', `"a\n'-1"`],
  ['a\r\n =1', `"a\r\n' =1"`],
  ['a;;\t \n=1', `"a;;\t \n'=1"`],
  ['a;"=1"', `"a;'""=1"""`],
  ['a;＝1;-2', `"a;'＝1;'-2"`],
  ['=1;=2', `"'=1;'=2"`],
  ['a;b\tc', '"a;b\tc"'],
  ['a=b, c', '"a=b, c"'],
])('writes for spreadsheets none within a cell either, where %j may be parted', (name, written) => {
  const visitors = [{ slug: 'v', name, system: null, first_message: null }]
  expect(csvRows(['slug', 'name'], visitors, { safe: true })).toBe(`v,${written}\r\n`)
})

it('guards a long text for spreadsheets in one pass', () => {
  const name = `${'; '.repeat(100_000)}${'\t"'.repeat(100_000)}=`
  const visitors = [{ slug: 'v', name, system: null, first_message: null }]
  expect(csvRows(['name'], visitors, { safe: true })).toMatch(/'""=/)
})
