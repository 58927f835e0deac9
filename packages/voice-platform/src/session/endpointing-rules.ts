import type { LinearRegex } from '../work/linear-regex.js'

/** Another pause, where all of its expressions are found: in what the assistant said last, and in the caller's words so far. */
export interface EndpointingRule {
  assistant?: LinearRegex
  customer?: LinearRegex
  /** 0–15. */
  timeoutSeconds: number
}

/** The pause of the first rule that holds. Of words that are not known none holds that looks for some. */
export function ruledSeconds(
  rules: readonly EndpointingRule[],
  words: string | null,
  lastSaid: string,
): number | undefined {
  return rules.find((rule) => isAfter(rule, lastSaid) && isIn(rule, words))?.timeoutSeconds
}

/** The longest pause of those that may still hold, while the caller's words are not known. */
export function longestRuledSeconds(rules: readonly EndpointingRule[], lastSaid: string): number {
  return Math.max(
    0,
    ...rules.filter((rule) => isAfter(rule, lastSaid)).map(({ timeoutSeconds }) => timeoutSeconds),
  )
}

const isIn = ({ customer }: EndpointingRule, words: string | null): boolean =>
  !customer || (words !== null && customer.isIn(words))

const isAfter = ({ assistant }: EndpointingRule, lastSaid: string): boolean =>
  assistant?.isIn(lastSaid) ?? true
