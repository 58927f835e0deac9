import daily, { type DailyCall } from '@daily-co/daily-js'
import type { RoomOptions } from '../call-room.js'
import { checkRoomOptions, METHOD_CHECKS } from '../options.js'
import { RoomError } from '../room-error.js'
import { keepMicrophone, type MicrophoneMeans } from './kept-microphone.js'
import { settleJoin } from './settled-join.js'

/**
 * Daily's call object, whose methods keep the rules of `options.ts` and whose join always settles. It runs without
 * `eval`, so that a strict content security policy holds, and several may exist in one page, so that one being left does
 * not stand in another's way. Throws a `RoomOptionError`, and a `RoomError` for what is no web address.
 */
export function createDailyCall(options: RoomOptions, url?: string, means?: MicrophoneMeans): DailyCall {
  // Daily would fail on it later, where nobody can catch it, and its join would wait for ever.
  if (url !== undefined && !/^https?:\/\/./i.test(url))
    throw new RoomError('no-room', 'The call names no address of a room.')
  checkRoomOptions(options)
  const call = daily.createCallObject({
    allowMultipleCallInstances: true,
    ...options,
    dailyConfig: { avoidEval: true, ...options.dailyConfig },
  })
  settleJoin(call)
  if (means) keepMicrophone(call, options, means)
  checkMethods(call)
  return call
}

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
