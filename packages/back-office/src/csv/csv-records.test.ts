import { describe, expect, it } from 'vitest'
import { type BadRow, type CsvRecord, csvRecords } from './csv-records.js'

async function read(text: string) {
  async function* texts() {
    yield text
  }
  const found: Array<CsvRecord | BadRow> = []
  for await (const record of csvRecords(texts())) found.push(record)
  return found
}

describe('a file whose quotes make no sense', () => {
  // The library holds the text again for each quote: these took gigabytes and many minutes.
  it('is read up to where nobody can tell a record’s end: 20,000 lines of JSON', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => JSON.stringify({ slug: `v${at}`, name: 'V' }))
    expect(await read(lines.join('\n'))).toEqual([
      { line: 1, reason: 'a quote stands inside of a field that is not quoted' },
      { line: 1, reason: expect.stringMatching(/^something stands behind a closing quote/) },
    ])
  })

  it('is read up to a record with too many of them: 290,000 in a field', async () => {
    expect(await read(`slug,name\na,b${'"'.repeat(290_000)}\nc,d\n`)).toEqual([
      { line: 1, fields: ['slug', 'name'] },
      { line: 2, reason: expect.stringMatching(/^more than 50 quotes .* not read$/) },
    ])
  })

  it('has a row for each line with a few of them, and goes on', async () => {
    expect(await read('a,b"c"\nd,e\nf"g,h\n')).toEqual([
      { line: 1, reason: 'a quote stands inside of a field that is not quoted' },
      { line: 2, fields: ['d', 'e'] },
      { line: 3, reason: 'a quote stands inside of a field that is not quoted' },
    ])
  })
})

describe('a record of more than 1,000 fields', () => {
  const tooWide = (line: number) => ({
    line,
    reason: expect.stringMatching(/^more than 1000 fields: remove/),
  })

  it.each([',', ';', '\t'])('is the end of the file, and makes no values: %j', async (delimiter) => {
    async function* texts() {
      yield `a${delimiter}b\n${delimiter.repeat(100_000)}\nc\n`
    }
    const found: unknown[] = []
    for await (const record of csvRecords(texts(), { delimiter })) found.push(record)
    expect(found).toEqual([{ line: 1, fields: ['a', 'b'] }, tooWide(2)])
  })

  it('is told of where it is damaged, too, and no part of the file is taken for its end', async () => {
    expect(await read(`a,b\nc"${','.repeat(1_500)}\nd,e\n`)).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 2, reason: 'a quote stands inside of a field that is not quoted' },
      tooWide(2),
    ])
  })

  it('may have a thousand, and as many delimiters inside of quotes as its text is long', async () => {
    const [widest, quoted] = [Array(1_000).fill(''), ','.repeat(5_000)]
    expect(await read(`${widest.join(',')}\n"${quoted}",b\n`)).toEqual([
      { line: 1, fields: widest },
      { line: 2, fields: [quoted, 'b'] },
    ])
  })
})

it('a long text keeps its characters, wherever it is cut', async () => {
  const name = '😀'.repeat(5_000)
  expect(await read(`x${name},${name}\n`)).toEqual([{ line: 1, fields: [`x${name}`, name] }])
})

it('a file of blank lines alone is not read to its end', async () => {
  expect(await read(`slug,name\n${'\n'.repeat(20_001)}a,b\n`)).toEqual([
    { line: 1, fields: ['slug', 'name'] },
    { line: 20_002, reason: expect.stringMatching(/^more than 20000 lines are blank/) },
  ])
})
