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
