/** `2026-11-20 19:28:21Z`. */
export const timeText = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`

/** As many characters of an id as people are shown; the commands take them for the whole. */
export const shortId = (id: string) => id.slice(0, 8)

/** `1 number`, `2 numbers`. */
export const counted = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`

/** A text for a terminal: what would steer it is left out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
export const harmless = (text: string) => text.replace(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/g, ' ')

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
