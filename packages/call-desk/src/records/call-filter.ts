import type { CallState } from '../call/call-state.js'
import { isPageChat } from '../news/page-chat.js'

/** Which calls are meant; what is left out does not count. */
export interface CallFilter {
  /** `web` are all in the browser, also the chats of pages. */
  kind?: 'phone' | 'web' | 'chat' | undefined
  /** Of phone calls; a call in a browser has none. */
  direction?: 'inbound' | 'outbound' | undefined
  /** Any of these. */
  states?: readonly CallState[] | undefined
  outcome?: string | undefined
  refusal?: string | undefined
  /** The visitor's slug, in any case. */
  slug?: string | undefined
  /** A part of the visitor's slug, in any case. */
  text?: string | undefined
  /** E.164. */
  phone?: string | undefined
  /** ISO 8601: asked for at this time or later. */
  since?: string | undefined
  /** ISO 8601: asked for before this time. */
  until?: string | undefined
  /** They talked for so long, or longer. */
  minSeconds?: number | undefined
}

/** Whether a slug in lower case holds the text. */
const holds = (slug: string, text: string) => `strpos(${slug}, lower(${text})) > 0`

/** How a value selects rows, in SQL of `call_desk.call_requests c`. `put` takes a value and says where it stands. */
const CONDITIONS: {
  readonly [Name in keyof CallFilter]-?: (
    value: NonNullable<CallFilter[Name]>,
    put: (value: unknown) => string,
  ) => string
} = {
  // The index that a search reads knows no chats: they are found among the browser calls, which stay as quick as they were.
  kind: (kind, put) => (kind === 'chat' ? isPageChat('c') : `c.kind = ${put(kind)}`),
  // Those that came in have an index of their own.
  direction: (direction, put) => `(c.kind = 'phone' and c.inbound = (${put(direction)} = 'inbound'))`,
  // Each by itself: one state alone has an index in the order of a page.
  states: (states, put) => `c.state in (${states.map(put).join(', ') || 'null'})`,
  outcome: (outcome, put) => `c.outcome = ${put(outcome)}`,
  refusal: (refusal, put) => `c.refusal = ${put(refusal)}`,
  slug: (slug, put) => `lower(c.slug) = lower(${put(slug)})`,
  text: (text, put) => holds('lower(c.slug)', put(text)),
  // Refused ones and the others have an index each.
  phone(number, put) {
    const phone = put(number)
    return `(c.phone = ${phone} and c.state = 'refused' or c.phone = ${phone} and c.state <> 'refused')`
  },
  since: (time, put) => `c.created_at >= ${put(time)}::timestamptz`,
  until: (time, put) => `c.created_at < ${put(time)}::timestamptz`,
  minSeconds: (seconds, put) =>
    `c.ended_at - c.in_progress_at >= ${put(seconds)}::float8 * interval '1 second'`,
}

/** The calls of a filter in SQL, with the values that its parameters stand for: `values` are added to those that are there. */
export function conditionsOf(filter: CallFilter, values: unknown[]): string[] {
  const put = (value: unknown) => `$${values.push(value)}`
  return Object.entries(CONDITIONS).flatMap(([name, condition]) => {
    const value = filter[name as keyof CallFilter]
    return value === undefined ? [] : [condition(value as never, put)]
  })
}

/**
 * The time and id of each call that a filter means, the newest first, in SQL; `more` are conditions beside it. The calls by time have an index
 * with all that is compared. Where a part of the slug is looked for, Postgres would rather read the whole table: `offset 0` has it read the
 * index, and compare the slugs in lower case that stand there.
 */
export function newestOf({ text, ...filter }: CallFilter, values: unknown[], more: string[] = []): string {
  const where = whereOf([...conditionsOf(filter, values), ...more])
  const newest = (columns: string) =>
    `select ${columns} from call_desk.call_requests c ${where} order by c.created_at desc, c.id desc`
  if (text === undefined) return newest('c.created_at, c.id')
  return `select f.created_at, f.id from (${newest('c.created_at, c.id, lower(c.slug) as slug')} offset 0) f
    where ${holds('f.slug', `$${values.push(text)}`)} order by f.created_at desc, f.id desc`
}

/** The conditions as a clause; nothing where there are none. */
const whereOf = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
