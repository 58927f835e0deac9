import type {
  OneSidedEndpointingRule,
  RegexOption,
  StartSpeakingPlan,
  TwoSidedEndpointingRule,
} from '@heyline/platform-client'
import type { EndpointingRule } from '../session/endpointing-rules.js'
import { LinearRegex } from '../work/linear-regex.js'

type GivenRule = NonNullable<StartSpeakingPlan['customEndpointingRules']>[number]

/** A rule of an assistant, ready to be asked. */
export function endpointingRule(rule: OneSidedEndpointingRule | TwoSidedEndpointingRule): EndpointingRule {
  const { timeoutSeconds } = rule
  if (rule.type === 'both')
    return {
      assistant: regexOf(rule.assistantRegex, rule.assistantRegexOptions),
      customer: regexOf(rule.customerRegex, rule.customerRegexOptions),
      timeoutSeconds,
    }
  return { [rule.type]: regexOf(rule.regex, rule.regexOptions), timeoutSeconds }
}

/** Most steps that a character of the words may take in all rules of an assistant together. */
const MOST_COST = 3_000

/** What is wrong with an assistant's rules, if anything is. */
export function endpointingFault(rules: readonly GivenRule[]): string | undefined {
  let cost = 0
  for (const [index, rule] of rules.entries()) {
    const { assistant, customer } = endpointingRule(rule)
    for (const regex of [assistant, customer]) {
      const own = regex === undefined ? 0 : regex.cost
      if (own === undefined)
        return `rule ${index} has no regular expression that is served: look-ahead, look-behind and back-references are not (RE2), nor are repetitions of thousands of characters`
      cost += own
      if (cost > MOST_COST)
        return 'the regular expressions are too large together: write fewer or shorter ones'
    }
  }
  return undefined
}

function regexOf(source: string, options: readonly RegexOption[] = []): LinearRegex {
  const isOn = (type: RegexOption['type']) => options.some((one) => one.type === type && one.enabled)
  return new LinearRegex(source, {
    ignoreCase: isOn('ignore-case'),
    wholeWord: isOn('whole-word'),
    multiLine: isOn('multi-line'),
  })
}
