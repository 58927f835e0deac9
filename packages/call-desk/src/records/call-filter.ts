import type { CallState } from '../call/call-state.js'

/** Which calls are meant; what is left out does not count. */
export interface CallFilter {
  kind?: 'phone' | 'web' | undefined
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

/** How a value selects rows, in SQL of `call_desk.call_requests c`. */
const CONDITIONS: { readonly [Name in keyof CallFilter]-?: (parameter: string) => string } = {
  kind: (text) => `c.kind = ${text}`,
  states: (json) => `${json}::jsonb ? c.state`,
  outcome: (text) => `c.outcome = ${text}`,
  refusal: (text) => `c.refusal = ${text}`,
  slug: (text) => `lower(c.slug) = lower(${text})`,
  text: (text) => `strpos(lower(c.slug), lower(${text})) > 0`,
  // Refused ones and the others have an index each.
  phone: (text) =>
    `(c.phone = ${text} and c.state = 'refused' or c.phone = ${text} and c.state <> 'refused')`,
  since: (time) => `c.created_at >= ${time}::timestamptz`,
  until: (time) => `c.created_at < ${time}::timestamptz`,
  minSeconds: (count) => `c.ended_at - c.in_progress_at >= ${count}::float8 * interval '1 second'`,
}

/** The calls of a filter in SQL, with the values that its parameters stand for: `values` are added to those that are there. */
export function conditionsOf(filter: CallFilter, values: unknown[]): string[] {
  return Object.entries(CONDITIONS).flatMap(([name, condition]) => {
    const value = filter[name as keyof CallFilter]
    return value === undefined ? [] : [condition(`$${values.push(value)}`)]
  })
}

/** The conditions as a clause; nothing where there are none. */
export const whereOf = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
