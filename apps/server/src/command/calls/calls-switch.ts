import type { DeskStatus } from '@heyline/call-desk'
import type { Json } from '../options/json-option.js'
import { withCalls } from '../place/calls-place.js'
import type { CommandContext, Terminal } from '../terminal/terminal.js'
import { counted, harmless, table, timeText } from '../terminal/terminal-text.js'
import { moneyText } from './call-text.js'

/** `heyline calls pause`: when it returns, nothing is dialled any more. */
export function pauseCalls(context: CommandContext, { json }: Json): Promise<void> {
  return withCalls(context, async (calls) => {
    const status = await calls.pause()
    const running = status.inFlight > 0 ? `; ${counted(status.inFlight, 'call')} in flight: being ended` : ''
    say(context.terminal, json, status, `Paused: no call is placed until heyline calls resume${running}`)
  })
}

/** `heyline calls resume`. */
export function resumeCalls(context: CommandContext, { json }: Json): Promise<void> {
  return withCalls(context, async (calls) =>
    say(context.terminal, json, await calls.resume(), 'Calls are placed again'),
  )
}

/** `heyline calls reset`. */
export function resetSlug(context: CommandContext, slug: string, { json }: Json): Promise<void> {
  return withCalls(context, async (calls) => {
    const reset = await calls.resetSlug(slug)
    say(context.terminal, json, reset, `The lifetime limit of "${harmless(reset.slug)}" counts from now on`)
  })
}

/** `heyline calls status`. */
export function showStatus(context: CommandContext, { json }: Json): Promise<void> {
  return withCalls(context, async (calls) => {
    const status = await calls.status()
    context.terminal.log(json ? JSON.stringify(status, null, 2) : pageOf(status))
  })
}

function pageOf(status: DeskStatus): string {
  const { pausedAt, breaker, inFlight, incoming, web, audit } = status
  const rows = [
    ['calls', pausedAt ? `paused since ${timeText(pausedAt)}: heyline calls resume` : 'are placed'],
    ['breaker', breaker ? breakerText(breaker) : 'closed'],
    ['in flight', String(inFlight)],
    ...accountRows(status),
    ['refused to us, 24 h', refusalsText(incoming.refusals)],
    ['', ''],
    ['in the browser', ''],
    ...accountRows(web),
  ]
  const entries = audit.map(({ at, action, detail }) => [
    timeText(at),
    action,
    action === 'limit_raised' ? raisedText(detail) : detailText(detail),
  ])
  return [table(rows), ...(entries.length > 0 ? ['', table(entries)] : [])].join('\n')
}

const breakerText = ({ at, reason }: NonNullable<DeskStatus['breaker']>) =>
  `open since ${timeText(at)} (${harmless(reason ?? 'no reason')}): heyline calls resume closes it`

const accountRows = ({ day, month, requests }: DeskStatus['web']) => [
  ['money, 24 h', moneyRow(day)],
  ['money, 31 days', moneyRow(month)],
  ['requests, 24 h', countsText(requests.total, requests.outcomes)],
  ['refused, 24 h', refusalsText(requests.refusals)],
]

const moneyRow = ({ spent, reserved }: DeskStatus['day']) =>
  `${moneyText(spent)} spent, ${moneyText(reserved)} reserved`

const countsText = (total: number, counts: Record<string, number>) => {
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  return parts.length > 0 ? `${total}: ${parts.join(', ')}` : String(total)
}

const refusalsText = (refusals: Record<string, number>) => countsText(sum(refusals), refusals)

const detailText = (detail: Record<string, unknown>) =>
  Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => harmless(`${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`))
    .join(', ')

/** `CALL_LIMIT_PREFIX=9/1h (3/1h,5/24h is recommended)`. */
const raisedText = ({ setting, value, normal }: Record<string, unknown>) =>
  harmless(`${setting}=${value} (${normal} is recommended)`)

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0)

function say(terminal: Terminal, json: boolean | undefined, fields: object, line: string) {
  terminal.log(json ? JSON.stringify(fields) : line)
}
