import {
  CALL_LIST_LIMIT,
  CALL_STATES,
  type CallLine,
  type CallOffice,
  type CallQuery,
  type CallRecord,
  type CallState,
  refusalText,
} from '@heyline/call-desk'
import type { Json } from '../options/json-option.js'
import { limitOf } from '../options/limit-option.js'
import { timeOf } from '../options/time-option.js'
import { withCalls } from '../place/calls-place.js'
import { CommandError } from '../terminal/command-error.js'
import { printText } from '../terminal/output.js'
import type { CommandContext, Terminal } from '../terminal/terminal.js'
import { harmless, shortId, table, timeText } from '../terminal/terminal-text.js'
import { costText, durationText, outcomeText, placeText, stateText } from './call-text.js'

export interface ListOptions extends Json {
  limit?: string
  after?: string
  state?: string
  direction?: string
  slug?: string
  since?: string
}

/** How many calls a person is shown at once. */
const SHOWN = 50

/**
 * `heyline calls list`: the newest first; that there are more is said on standard error. With `--json` and no `--limit` it is all of
 * them, as one array.
 */
export function listCalls(context: CommandContext, options: ListOptions): Promise<void> {
  const { json, limit, after, slug } = options
  const query = {
    ...{ after, slug },
    state: stateOf(options.state),
    direction: directionOf(options.direction),
    since: timeOf(options.since, '--since'),
  }
  const most = limit === undefined ? undefined : limitOf(limit, CALL_LIST_LIMIT)
  return withCalls(context, async (calls) => {
    if (json && most === undefined) return listAll(context.terminal, calls, query)
    const page = await calls.list({ ...query, limit: most ?? SHOWN })
    if (json) context.terminal.log(JSON.stringify(page.calls, null, 2))
    else if (page.calls.length > 0) context.terminal.log(table(page.calls.map(lineOf)))
    else context.terminal.error('heyline: there are no such calls')
    if (page.next !== null)
      context.terminal.error(`heyline: there are more: add --after ${json ? page.next : shortId(page.next)}`)
  })
}

/** Page by page, so that a million of them needs no more memory than a thousand. */
async function listAll(terminal: Terminal, calls: CallOffice, query: Omit<CallQuery, 'limit'>) {
  let next = query.after ?? null
  let before = '[\n'
  do {
    const page = await calls.list({ ...query, limit: CALL_LIST_LIMIT, after: next ?? undefined })
    for (const call of page.calls) {
      await printText(`${before}  ${JSON.stringify(call)}`, terminal.out)
      before = ',\n'
    }
    next = page.next
  } while (next !== null)
  terminal.log(before === '[\n' ? '[]' : '\n]')
}

const lineOf = (call: CallLine) => [
  timeText(call.createdAt),
  shortId(call.id),
  stateText(call),
  outcomeText(call),
  durationText(call.seconds),
  costText(call),
  harmless(call.slug) || '-',
  placeText(call),
]

function stateOf(text: string | undefined): CallState | undefined {
  const state = CALL_STATES.find((known) => known === text)
  if (state || text === undefined) return state
  throw new CommandError('usage', `--state is one of ${CALL_STATES.join(', ')}, not "${text}"`)
}

function directionOf(text: string | undefined): CallQuery['direction'] {
  if (text === undefined || text === 'inbound' || text === 'outbound') return text
  throw new CommandError('usage', `--direction is inbound or outbound, not "${text}"`)
}

/** `heyline calls show`. */
export function showCall(context: CommandContext, id: string, { json }: Json): Promise<void> {
  return withCalls(context, async (calls) => {
    const call = await calls.show(id)
    context.terminal.log(json ? JSON.stringify(call, null, 2) : pageOf(call))
  })
}

const TIMES = [
  ['asked for', 'createdAt'],
  ['dialling', 'diallingAt'],
  ['ringing', 'ringingAt'],
  ['in progress', 'inProgressAt'],
  ['ended', 'endedAt'],
  ['refused', 'refusedAt'],
  ['failed', 'failedAt'],
  ['unknown', 'unknownAt'],
  ['record came', 'recordedAt'],
] as const satisfies [string, keyof CallRecord][]

const DIRECTIONS = { inbound: 'they called us', outbound: 'we called them' } as const

/** Everything that is known, a line each, and the transcript at the end. */
function pageOf(call: CallRecord): string {
  const rows: [string, string | number | null][] = [
    ['id', call.id],
    ['kind', call.kind === 'web' ? 'browser' : call.kind],
    ['direction', call.direction && DIRECTIONS[call.direction]],
    ['number', call.phone],
    ['country', call.country],
    ['slug', call.slug],
    ['state', stateText(call)],
    ['because', refusalText(call.refusal)],
    ['outcome', call.outcome],
    ['ended reason', call.endedReason],
    ['last error', call.lastError],
    ['hung up for', call.hangUpReason],
    ['duration', call.seconds === null ? null : durationText(call.seconds)],
    ['longest', call.maxSeconds === null ? null : durationText(call.maxSeconds)],
    ['cost', costText(call) === '-' ? null : costText(call)],
    ['attempts', call.attempts],
    ['platform id', call.platformCallId],
    ['address', call.address],
    ...TIMES.map(([label, name]): [string, string | null] => {
      const time = call[name]
      return [label, time === null ? null : timeText(time)]
    }),
    ['summary', call.summary],
  ]
  const known = rows
    .filter(([, value]) => value !== null)
    .map(([label, value]) => [label, text(String(value))])
  const transcript = call.transcript === null ? [] : ['', harmless(call.transcript)]
  return [table(known), ...transcript].join('\n')
}

const LABEL_WIDTH = 14
const text = (value: string) => harmless(value).replaceAll('\n', `\n${' '.repeat(LABEL_WIDTH)}`)
