import type { DailyCall } from '@daily-co/daily-js'
import { METHOD_CHECKS } from '../options.js'

/** The methods that throw; the others answer with a promise, which is then rejected. */
const THROWING: readonly string[] = [
  'setMeetingSessionData',
  'setCustomIntegrations',
  'updateCustomTrayButtons',
] satisfies (keyof typeof METHOD_CHECKS)[]

/** Puts the check of its argument before each method that has one, so that nothing is done with a value that is refused. */
export function checkMethods(call: DailyCall): void {
  for (const [name, check] of Object.entries(METHOD_CHECKS)) {
    const method: unknown = Reflect.get(call, name)
    if (typeof method !== 'function') continue
    Reflect.set(call, name, (...given: unknown[]): unknown => {
      try {
        check(given[0])
      } catch (error) {
        if (THROWING.includes(name)) throw error
        return Promise.reject(error)
      }
      return Reflect.apply(method, call, given)
    })
  }
}
