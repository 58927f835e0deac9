import type { EventType } from '../events/event.js'

/** Which events are meant; what is left out does not count. */
export interface EventFilter {
  /** One visitor's slug, in any case. */
  slug?: string | undefined
  /** Any of these. */
  types?: readonly EventType[] | undefined
  /** ISO 8601: at this time or later. */
  since?: string | undefined
}

/** How a value selects rows, in SQL of `timeline.events e`. */
const CONDITIONS: { readonly [Name in keyof EventFilter]-?: (parameter: string) => string } = {
  slug: (text) => `lower(e.slug) = lower(${text})`,
  types: (json) => `e.type = any (array(select jsonb_array_elements_text(${json}::jsonb)))`,
  since: (time) => `e.at >= ${time}::timestamptz`,
}

/** The events of a filter in SQL; its values are added to those that are there. */
export function conditionsOf(filter: EventFilter, values: unknown[]): string[] {
  return Object.entries(CONDITIONS).flatMap(([name, condition]) => {
    const value = filter[name as keyof EventFilter]
    return value === undefined ? [] : [condition(`$${values.push(value)}`)]
  })
}

/** The conditions as a clause; nothing where there are none. */
export const whereOf = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
