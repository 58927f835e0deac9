import type { AssistantOverrides, Customer } from '@heyline/platform-client'
import { calendarParts, formatDate } from './date-format.js'
import type { Variables } from './template.js'

/** What a call says about its variables. */
export interface CallFacts {
  overrides?: AssistantOverrides | null | undefined
  customer?: Customer | null | undefined
  /** `voice` where it is left out. */
  conversationType?: 'voice' | 'chat'
}

/**
 * The variables of a call's texts. They are the platform's own (in UTC; `customer` where it is known), then the `variableValues` of the
 * call, then the customer's. A later one replaces an earlier one of the same name.
 */
export function callVariables(
  { overrides, customer, conversationType = 'voice' }: CallFacts,
  now: Date,
): Variables {
  const { assistantOverrides, ...customerFacts } = customer ?? {}
  const parts = calendarParts(now)
  return {
    now,
    values: {
      now: formatDate(parts, '%b %-d, %Y %-I:%M %p'),
      date: formatDate(parts, '%b %-d, %Y'),
      time: formatDate(parts, '%-I:%M %p'),
      month: parts.month,
      day: parts.day,
      year: parts.year,
      ...(customer && { customer: customerFacts }),
      transport: { conversationType },
      ...overrides?.variableValues,
      ...assistantOverrides?.variableValues,
    },
  }
}
