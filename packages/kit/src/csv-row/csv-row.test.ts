import { expect, it } from 'vitest'
import { csvRow } from './csv-row.js'

it.each([
  ['plain', 'plain'],
  ['', ''],
  ['a "b"', '"a ""b"""'],
  ['one\ntwo', '"one\ntwo"'],
  ['=1+1', "'=1+1"],
  ['  @cmd', "'  @cmd"],
  ['＝1', "'＝1"],
  ['a;=1', '"a;\'=1"'],
  ['+12025550101', "'+12025550101"],
])('writes %j so that no spreadsheet runs it', (text, written) => {
  expect(csvRow([text], { safe: true })).toBe(`${written}\r\n`)
})

it('leaves numbers as they are, and writes nothing for nothing', () => {
  expect(csvRow([-1.5, null, 'x'], { safe: true })).toBe('-1.5,,x\r\n')
})

it('leaves formulas as they are where nobody asks for more', () => {
  expect(csvRow(['=1+1', 'a;=1', 'a,b'])).toBe('=1+1,a;=1,"a,b"\r\n')
})
