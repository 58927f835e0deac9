import { jsonAnswer, misfit } from '../work/json-answer.js'

/** Most characters of one value, as JSON. */
const MOST_VALUE = 4_000

/**
 * What a tool's answer says, as variables of the call: each property of the schema (`variableExtractionPlan`) whose value fits. A value within
 * a value becomes a variable of its own where it has a `target`. Empty where the answer is no JSON object.
 */
export function answerVariables(schema: unknown, answer: string): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  const read = (value: unknown, within: unknown, isInside: boolean) => {
    for (const [name, own] of Object.entries(Object(ownValue(within, 'properties')))) {
      const inner = ownValue(value, name)
      if (inner === undefined || misfit(inner, own) !== undefined) continue
      // The variable that takes the value. By default it has the property's name.
      const target = ownValue(own, 'target')
      const variable = typeof target === 'string' && target !== '' ? target : isInside ? undefined : name
      if (variable !== undefined && JSON.stringify(inner).length <= MOST_VALUE) found[variable] = inner
      read(inner, own, true)
    }
  }
  read(jsonAnswer(answer), schema, false)
  return found
}

const ownValue = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
