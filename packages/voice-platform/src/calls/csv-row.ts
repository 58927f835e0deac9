export type CsvValue = string | number | null

/**
 * One row of CSV (RFC 4180) that is safe in spreadsheets: no cell is a formula there, also where the reader parts cells at `;` or tabs.
 * An apostrophe stands wherever a formula would begin, as in front of a telephone number. https://owasp.org/www-community/attacks/CSV_Injection
 */
export const csvRow = (values: readonly CsvValue[]): string => `${values.map(cell).join(',')}\r\n`

const SPECIAL = /[",;\t\r\n]|^\s|\s$/
/** What a spreadsheet takes for the beginning of a formula, also as full-width characters. */
const SIGN = '[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20]'
/** At the beginning, behind spaces, too. */
const BEGINS = new RegExp(`^(?:\\s*${SIGN}|[\\t\\r\\n])`)
/** Where another cell may begin for a reader, and a formula behind spaces or quotes. */
const BEGINS_WITHIN = new RegExp(`[;\\t\\r\\n](?=(?:[^\\S\\t\\r\\n]|")*${SIGN})`, 'g')

function cell(value: CsvValue): string {
  const text = typeof value === 'string' ? harmless(value) : String(value ?? '')
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function harmless(text: string): string {
  const within = text.replace(BEGINS_WITHIN, "$&'")
  return BEGINS.test(text) ? `'${within}` : within
}
