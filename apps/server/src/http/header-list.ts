export type HeaderList = [name: string, value: string][]

/** As they stand in the text of an answer, each with its line's end. */
export const linesOf = (headers: HeaderList): string =>
  headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
