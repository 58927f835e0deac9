import { expect, it } from 'vitest'
import { previewImport } from './import-preview.js'

const preview = (csv: string, options: Partial<Parameters<typeof previewImport>[1]> = {}) =>
  previewImport(csv, { taken: async (slugs) => slugs.filter((slug) => slug === 'there'), ...options })

it('marks each bad row with its reason, and who is there already', async () => {
  const { header, columns, rows } = await preview(
    'slug,name\na,A\nb c,B\nthere,T\nA,Again\nd\ne,\nf,"F"x\ng,G\n',
  )
  expect([header, columns]).toEqual([
    ['slug', 'name'],
    ['slug', 'name'],
  ])
  expect(rows.map((row) => [row.line, 'reason' in row ? row.reason : row.isStored])).toEqual([
    [2, false],
    [3, expect.stringMatching(/^slug "b c": A slug is a letter/)],
    [4, true],
    [5, 'slug "A" is on line 2 already (case does not count)'],
    [6, '1 field where the header has 2'],
    [7, 'A visitor needs a name'],
    [8, expect.stringMatching(/^something stands behind a closing quote/)],
  ])
  expect(rows[1]).toMatchObject({ fields: { slug: 'b c', name: 'B' } })
})

it.each([
  ['Company;Prompt;Note\nAcme;Be kind.;x\n', ['name', 'system', null]],
  ['\uFEFFCompany\tFirst message\tLink\nAcme\tHi\tacme\n', ['name', 'first_message', 'slug']],
  ['Name,Customer\nAcme,x\n', ['name', null]],
])('guesses delimiter and columns of %j', async (csv, columns) => {
  expect(await preview(csv)).toMatchObject({ columns })
})

it('takes the columns that are given, and makes private slugs, from names where there are none', async () => {
  const csv = 'a,b\nÄrzte & Söhne GmbH,Be kind.\n日本,x\n'
  const { rows } = await preview(csv, { columns: ['name', 'system'], private: true })
  expect(rows).toMatchObject([
    { visitor: { slug: expect.stringMatching(/^arzte-sohne-gmbh-[a-z2-9]{6}$/), system: 'Be kind.' } },
    { visitor: { slug: expect.stringMatching(/^visitor-[a-z2-9]{6}$/), name: '日本' } },
  ])
  const given = await preview('slug,name\nacme,A\nb c,B\n', { private: true })
  expect(given.rows).toMatchObject([
    { visitor: { slug: expect.stringMatching(/^acme-[a-z2-9]{6}$/) } },
    { reason: expect.stringMatching(/^slug "b c/) },
  ])
})

it('keeps what would be a script or a formula as the text that it is', async () => {
  const name = '<img src=x onerror=alert(1)>'
  const { rows } = await preview(`slug,name,system\nx,${name},=HYPERLINK("x")\n`.replace('"x"', '1'))
  expect(rows).toMatchObject([{ visitor: { name, system: '=HYPERLINK(1)' } }])
})

it('reads an empty text, and refuses more rows than anybody looks through', async () => {
  expect(await preview('')).toEqual({ header: [], columns: [], rows: [] })
  await expect(preview(`slug,name\n${'a,b\n'.repeat(50_001)}`)).rejects.toMatchObject({ code: 'too_large' })
})

it.each([';', ',', '\t'])('has no header of more than 1,000 columns: %j', async (delimiter) => {
  const { header, columns, rows } = await preview(`slug${delimiter.repeat(300_000)}`)
  expect([header, columns]).toEqual([[], []])
  expect(rows).toEqual([
    { line: 1, reason: expect.stringMatching(/^more than 1000 fields: remove the columns/), fields: {} },
  ])
})
