import type { AssistantOverrides, Customer } from '@heyline/platform-client'
import { calendarParts, formatDate } from './date-format.js'
import { rootOf } from './liquid-value.js'
import type { Variables } from './template.js'

/** What a call says about its variables. */
export interface CallFacts {
  overrides?: AssistantOverrides | null | undefined
  customer?: Customer | null | undefined
  /** Of a call to us: whether the network vouches for the customer's number. */
  callerProven?: boolean | null | undefined
  /** `voice` where it is left out. */
  conversationType?: 'voice' | 'chat'
}

type Values = Record<string, unknown>

/** The names of the platform's own variables. */
const OWN: ReadonlySet<string> = new Set([
  ...['now', 'date', 'time', 'month', 'day', 'year'],
  ...['customer', 'transport', 'callerProven'],
])

/**
 * The variables of a call's texts. They are the platform's own (in UTC; `customer` where it is known), then the `variableValues` of the
 * call, then the customer's. A later one replaces an earlier one of the same name, but nothing replaces `callerProven`.
 */
export function callVariables(facts: CallFacts, now: Date): Variables {
  return { now, values: { ...ownValues(facts, now), ...givenValues(facts) } }
}

/**
 * The variables of the tools of a call or chat that a page has begun. The page's values stand there under no name of the platform's own, and
 * under none that is `learned` in the conversation: that is empty until then. Where `learned` is undefined, nobody knows all those names, and no
 * value of the page's stands there. Those that are `set` for the assistant go before the page's. Nothing is known of the customer.
 */
export function pageToolVariables(
  facts: CallFacts,
  { learned, set = {}, now }: { learned: ReadonlySet<string> | undefined; set?: Values; now: Date },
): Variables {
  const { customer: _, ...known } = facts
  const kept = new Set([...OWN, ...(learned ?? [])].map(rootOf))
  const given = learned ? Object.entries(givenValues(facts)) : []
  const free = given.filter(([name]) => !kept.has(rootOf(name)))
  return { now, values: { ...Object.fromEntries(free), ...settable(set), ...ownValues(known, now) } }
}

/** The values that came with the call. */
const givenValues = ({ overrides, customer }: CallFacts): Values =>
  settable({ ...overrides?.variableValues, ...customer?.assistantOverrides?.variableValues })

/** Those of these values that anybody but the platform may set. */
export const settable = ({ callerProven: _, ...values }: Values): Values => values

function ownValues({ customer, callerProven, conversationType = 'voice' }: CallFacts, now: Date): Values {
  const { assistantOverrides: _, ...customerFacts } = customer ?? {}
  const parts = calendarParts(now)
  return {
    now: formatDate(parts, '%b %-d, %Y %-I:%M %p'),
    date: formatDate(parts, '%b %-d, %Y'),
    time: formatDate(parts, '%-I:%M %p'),
    month: parts.month,
    day: parts.day,
    year: parts.year,
    ...(customer && { customer: customerFacts }),
    ...(typeof callerProven === 'boolean' && { callerProven }),
    transport: { conversationType },
  }
}
