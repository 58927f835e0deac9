/** The columns of a file of visitors: those of the table. The order of a file's own header does not matter. */
export const FILE_COLUMNS = ['slug', 'name', 'system', 'first_message', 'listed'] as const
export type FileColumn = (typeof FILE_COLUMNS)[number]

export const isColumn = (name: string): name is FileColumn => FILE_COLUMNS.some((column) => column === name)

/** What people write above these columns, in small letters and digits alone. */
const SAID: Readonly<Record<FileColumn, readonly string[]>> = {
  slug: ['slug', 'link', 'url', 'page', 'path', 'handle'],
  name: [
    'name',
    'company',
    'companyname',
    'fullname',
    'visitor',
    'customer',
    'client',
    'prospect',
    'account',
  ],
  system: ['system', 'prompt', 'systemprompt', 'instructions'],
  first_message: ['firstmessage', 'greeting', 'opening', 'openingline', 'firstwords'],
  listed: ['listed', 'public'],
}

/** Which column each part of a header seems to name; null for none, and for what names one a second time. */
export function guessColumns(header: readonly string[]): (FileColumn | null)[] {
  const guessed = header.map((said) => {
    const word = said.toLowerCase().replace(/[^a-z0-9]/g, '')
    return FILE_COLUMNS.find((column) => SAID[column].includes(word)) ?? null
  })
  return guessed.map((column, index) => (guessed.indexOf(column) === index ? column : null))
}
