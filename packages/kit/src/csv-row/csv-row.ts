/** How cells are written. */
export interface CsvForm {
  /**
   * For spreadsheets: no cell is a formula there, also where the reader parts cells at `;` or tabs, or takes each line break for a row's
   * end. Whoever reads the file gets an apostrophe more wherever a formula would begin: in front of a cell, and behind `;`, a tab or a
   * line break within it. Cells with `;` or a tab are quoted, so that a reader that parts at these and at commas keeps the columns.
   */
  safe?: boolean | undefined
}

export type CsvValue = string | number | boolean | null | undefined

/** One row of CSV (RFC 4180); texts are quoted where they have to be. They stay as they are, so a formula in them is one again, unless the form is safe. */
export const csvRow = (values: readonly CsvValue[], { safe = false }: CsvForm = {}): string =>
  `${values.map((value) => (safe ? safeField(value) : field(value))).join(',')}\r\n`

const field = (value: CsvValue, special = /[",\r\n]|^\s|\s$/): string => {
  const text = String(value ?? '')
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const safeField = (value: CsvValue): string =>
  field(typeof value === 'string' ? harmless(value) : value, /[",;\t\r\n]|^\s|\s$/)

/** What a spreadsheet takes for the beginning of a formula: https://owasp.org/www-community/attacks/CSV_Injection. */
const SIGN = '[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20]'
/** At the beginning, behind spaces, too. */
const BEGINS = new RegExp(`^(?:\\s*${SIGN}|[\\t\\r\\n])`)
/** Where another cell may begin for a reader, and a formula behind spaces or quotes. */
const BEGINS_WITHIN = new RegExp(`[;\\t\\r\\n](?=(?:[^\\S\\t\\r\\n]|")*${SIGN})`, 'g')

const harmless = (text: string): string => {
  const within = text.replace(BEGINS_WITHIN, "$&'")
  return BEGINS.test(text) ? `'${within}` : within
}
