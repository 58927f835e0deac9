import { describe, expect, it } from 'vitest'
import { CsvFields, type CsvForms, MOST_CSV_FIELDS } from './csv-fields.js'

const commas = (count: number) => ','.repeat(count)
const whole = commas(MOST_CSV_FIELDS - 1)

const excess = (text: string, forms: Partial<CsvForms> = {}) =>
  new CsvFields({ delimiter: ',', ...forms }).excess(text)

describe('the fields of a record', () => {
  it.each([
    ['as many as there may be', whole],
    ['records of them', `${whole}\n${whole}\r\n${whole}`],
    ['delimiters inside of quotes', `a,"${commas(5_000)}"\n"x""${commas(5_000)}""",b`],
    ['quoted lines', `"${'a,\n'.repeat(2_000)}",b`],
    ['other signs', ';'.repeat(5_000)],
  ])('%s', (_, text) => {
    expect(excess(text)).toBeUndefined()
  })

  it.each([
    ['one too many', `${whole},`, MOST_CSV_FIELDS],
    ['in a later record', `a\n${whole},,,`, MOST_CSV_FIELDS + 2],
    ['behind a quote that opens nothing', `a"${whole},"`, MOST_CSV_FIELDS + 2],
    ['behind quoted fields', `"a",""${whole}`, MOST_CSV_FIELDS + 5],
    ['behind a CR alone', `\r${whole},`, MOST_CSV_FIELDS + 1],
    ['behind spaces and a quote', `a, "${whole}`, MOST_CSV_FIELDS + 3],
  ])('%s', (_, text, at) => {
    expect(excess(text)).toBe(at)
  })

  it('are counted with other delimiters and ends of lines, and without spaces in front of quotes', () => {
    expect(excess(whole.replaceAll(',', ';'), { delimiter: ';' })).toBeUndefined()
    expect(excess(`a\r${whole}`, { newline: '\r' })).toBeUndefined()
    expect(excess(`a, "${whole}"`, { trims: true })).toBeUndefined()
    expect(excess(`a\t"${'\t'.repeat(2_000)}"`, { delimiter: '\t', trims: true })).toBeUndefined()
  })

  it('are counted over pieces, and the line is where the record begins', () => {
    const fields = new CsvFields({ delimiter: ',' })
    expect(fields.excess('a,b\n"x\n')).toBeUndefined()
    expect(fields.excess(`y","${commas(2_000)}`)).toBeUndefined()
    expect(fields.excess(`"\nc${commas(600)}`)).toBeUndefined()
    expect(fields.excess(commas(600))).toBe(400)
    expect(fields.line).toBe(4)
  })
})
