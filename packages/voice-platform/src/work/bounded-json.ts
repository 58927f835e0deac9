import { shortJsonExcess } from '@heyline/kit/json-excess'

/** Far more values than an answer has that is of use in a call. */
const MOST_VALUES = 10_000

/**
 * The JSON that another server sent, in a text that is bounded in its length. Undefined where it is none, is nested too deeply, or has more values
 * than this: a few million take seconds and gigabytes to be parsed, and more to be checked.
 */
export function boundedJson(text: string, values = MOST_VALUES): unknown {
  try {
    return shortJsonExcess(text, { values }) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
