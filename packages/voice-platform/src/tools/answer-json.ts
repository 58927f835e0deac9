import { isNestedBeyond, MOST_NESTING } from '../work/nesting.js'

/** What somebody's server answered. Undefined where it is no JSON, or is nested too deeply. */
export function answerJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isNestedBeyond(MOST_NESTING, value) ? undefined : value
  } catch {
    return undefined
  }
}
