import type { LinearRegex } from '../work/linear-regex.js'

/** Another pause, where all of its expressions are found: in what the assistant said last, and in the caller's words so far. */
export interface EndpointingRule {
  assistant?: LinearRegex
  customer?: LinearRegex
  /** 0–15. */
  timeoutSeconds: number
}

/** The pause of the first rule that holds. */
export function ruledSeconds(
  rules: readonly EndpointingRule[],
  words: string,
  lastSaid: string,
): number | undefined {
  return rules.find((rule) => isAfter(rule, lastSaid) && (rule.customer?.isIn(words) ?? true))?.timeoutSeconds
}

/** The longest pause of those that may still hold, while the caller's words are not known. */
export function longestRuledSeconds(rules: readonly EndpointingRule[], lastSaid: string): number {
  return Math.max(
    0,
    ...rules.filter((rule) => isAfter(rule, lastSaid)).map(({ timeoutSeconds }) => timeoutSeconds),
  )
}

const isAfter = ({ assistant }: EndpointingRule, lastSaid: string): boolean =>
  assistant?.isIn(lastSaid) ?? true
