import type { TicketsPlace } from '../../tickets/running-tickets.js'
import type { Json } from '../options/json-option.js'
import { withTickets } from '../place/tickets-place.js'
import { CommandError } from '../terminal/command-error.js'
import { printText } from '../terminal/output.js'
import type { CommandContext } from '../terminal/terminal.js'
import { harmless, table, timeText } from '../terminal/terminal-text.js'

export interface ListOptions extends Json {
  limit?: string
}

type Line = Awaited<ReturnType<TicketsPlace['list']>>['tickets'][number]
type Ticket = Awaited<ReturnType<TicketsPlace['show']>>

/** How many tickets are shown, where nobody says how many. */
const SHOWN = 50
/** Most that are kept. */
const MOST = 10_000
const PAGE = 100
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** `heyline tickets list`: the newest first; that there are more is said on standard error. */
export function listTickets(context: CommandContext, { json, limit }: ListOptions): Promise<void> {
  const wanted = limit === undefined ? SHOWN : limitOf(limit)
  return withTickets(context, async (place) => {
    const { tickets, isMore } = await newestOf(place, wanted)
    const { terminal } = context
    if (json) terminal.log(JSON.stringify(tickets, null, 2))
    else if (tickets.length > 0) await printText(`${table(tickets.map(columnsOf))}\n`, terminal.out)
    else terminal.error('heyline: there are no tickets')
    if (isMore) terminal.error('heyline: there are more: add --limit')
  })
}

async function newestOf(place: TicketsPlace, wanted: number): Promise<{ tickets: Line[]; isMore: boolean }> {
  const tickets: Line[] = []
  let before: string | undefined
  do {
    const page = await place.list({ limit: Math.min(PAGE, wanted - tickets.length), before })
    tickets.push(...page.tickets)
    before = page.next ?? undefined
  } while (before !== undefined && tickets.length < wanted)
  return { tickets, isMore: before !== undefined }
}

const columnsOf = ({ createdAt, id, category, writtenBy, subject }: Line): string[] => [
  timeText(createdAt),
  id,
  category,
  writtenBy ?? '-',
  onOneLine(subject),
]

/** `heyline tickets show`. */
export const showTicket = (context: CommandContext, given: string, { json }: Json): Promise<void> =>
  withTickets(context, async (place) => {
    const ticket = await place.show({ id: idOf(given) })
    context.terminal.log(json ? JSON.stringify(ticket, null, 2) : pageOf(ticket))
  })

/** What is known, a line each, and the message at the end. */
function pageOf({ id, createdAt, category, bugSubcategory, writtenBy, subject, ...said }: Ticket): string {
  const rows: [string, string | null][] = [
    ['id', id],
    ['written', timeText(createdAt)],
    ['by', writtenBy],
    ['category', category],
    ['about', bugSubcategory],
    ['subject', onOneLine(subject)],
    ['calls', said.callDetails && onOneLine(said.callDetails)],
  ]
  const known = table(rows.flatMap(([label, value]) => (value === null ? [] : [[label, value]])))
  return `${known}\n\n${harmless(said.message)}`
}

/** `heyline tickets remove`. */
export const removeTicket = (context: CommandContext, given: string, { json }: Json): Promise<void> =>
  withTickets(context, async (place) => {
    const removed = await place.remove({ id: idOf(given) })
    context.terminal.log(json ? JSON.stringify(removed, null, 2) : `The ticket ${removed.id} is removed`)
  })

function limitOf(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= MOST) return number
  throw new CommandError('usage', `--limit is 1 to ${MOST}, not "${text}"`)
}

function idOf(given: string): string {
  if (ID.test(given)) return given
  throw new CommandError(
    'ticket_not_found',
    'Which ticket? Give its whole id, as heyline tickets list has it',
  )
}

const onOneLine = (text: string): string => harmless(text).replaceAll('\n', ' ')
