/** `2026-11-20 19:28:21Z`. */
export const timeText = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`

/** As many characters of an id as people are shown; the commands take them for the whole. */
export const shortId = (id: string) => id.slice(0, 8)

/** `1 number`, `2 numbers`. */
export const counted = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`

/** What steers a terminal, but the end of a line, or turns the direction of the text behind it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
const STEERING = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g

/** A text for a terminal: spaces stand for what would steer it. */
export const harmless = (text: string) => text.replace(STEERING, ' ')

/** A text as it is, but for a terminal: whoever filled the tables steers nobody's. */
export const textFor = (out: { isTTY?: boolean }, text: string) =>
  out.isTTY ? harmless(text.replaceAll('\r\n', '\n')) : text

/** A text on one line with everything in sight, such as `\n`, `\x1B` and `\u202E`. */
export const inSight = (text: string) =>
  text.replaceAll('\n', '\\n').replace(STEERING, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase()
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`
  })

/** Rows in columns, each as wide as its widest text; the last one as long as it is. */
export function table(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
