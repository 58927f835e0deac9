import daily, { type DailyCall } from '@daily-co/daily-js'
import type { RoomOptions } from '../call-room.js'
import { checkRoomOptions } from '../options.js'
import { checkMethods } from './checked-methods.js'
import { settleJoin } from './settled-join.js'

/**
 * Daily's call object, whose methods keep the rules of `options.ts` and whose join always settles. It runs without
 * `eval`, so that a strict content security policy holds, and several may exist in one page, so that one being left does
 * not stand in another's way. Throws a `RoomOptionError`.
 */
export function createDailyCall(options: RoomOptions): DailyCall {
  checkRoomOptions(options)
  const call = daily.createCallObject({
    allowMultipleCallInstances: true,
    ...options,
    dailyConfig: { avoidEval: true, ...options.dailyConfig },
  })
  settleJoin(call)
  checkMethods(call)
  return call
}
