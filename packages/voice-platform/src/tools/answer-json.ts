import { shortJsonExcess } from '@heyline/kit/json-excess'

/** What somebody's server answered. Undefined where it is no JSON, or is nested too deeply. */
export function answerJson(text: string): unknown {
  try {
    return shortJsonExcess(text, {}) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
