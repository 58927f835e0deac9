import type { CallLine } from '@heyline/call-desk'

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

/** Where the call was: `phone …71`, `called us …71`, `browser`, or `chat`. */
export const placeText = ({
  kind,
  direction,
  phone,
}: Pick<CallLine, 'direction' | 'phone'> & { kind?: CallLine['kind'] }) =>
  direction === null
    ? kind === 'chat'
      ? 'chat'
      : 'browser'
    : `${direction === 'inbound' ? 'called us' : 'phone'} ${phone ?? ''}`

/** What became of a request, in one word. */
export const stateText = ({ state, refusal }: Pick<CallLine, 'state' | 'refusal'>) =>
  refusal === null ? state : `${state}: ${refusal}`
