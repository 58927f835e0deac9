import type { CallLine } from '@heyline/call-desk'

/** `2026-11-20 19:28:21Z`. */
export const timeText = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`

/** `1:23`; `-` where they did not talk. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return '-'
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Millionths of a US dollar as `$0.21`, to a hundredth of a cent; `-` where it is not known. */
export function moneyText(microusd: number | null): string {
  if (microusd === null) return '-'
  return `$${(microusd / 1_000_000).toFixed(4).replace(/0{1,2}$/, '')}`
}

/** What a call cost; `up to $0.75` while that is only set aside for it. */
export const costText = ({
  costMicrousd,
  reservedMicrousd,
}: Pick<CallLine, 'costMicrousd' | 'reservedMicrousd'>) =>
  costMicrousd === null && reservedMicrousd !== null
    ? `up to ${moneyText(reservedMicrousd)}`
    : moneyText(costMicrousd)

/** What came of a call, and what ended it where that was ours: `cancelled (paused)`. */
export const outcomeText = ({ outcome, hangUpReason }: Pick<CallLine, 'outcome' | 'hangUpReason'>) =>
  `${outcome ?? '-'}${hangUpReason === null ? '' : ` (${hangUpReason})`}`

/** Where the call was: `phone …71`, or `browser`. */
export const placeText = ({ kind, phone }: Pick<CallLine, 'kind' | 'phone'>) =>
  kind === 'web' ? 'browser' : `phone ${phone ?? ''}`

/** What became of a request, in one word. */
export const stateText = ({ state, refusal }: Pick<CallLine, 'state' | 'refusal'>) =>
  refusal === null ? state : `${state}: ${refusal}`

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
