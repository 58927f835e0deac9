import { wallClock } from '@heyline/kit/wall-clock'
import { openMicrophone } from '../../browser/microphone.js'
import type { CallRoom, RoomOptions } from '../call-room.js'
import { lazily } from '../lazy-code.js'
import { preloadRoomCode } from './room-code.js'

/** Loads Daily's library, and what goes with it. */
export const loadDaily = lazily(() => import('./daily-call.js'))

/** Loads that, and beside it the code that the library loads at a join. */
export async function preloadDaily(): Promise<void> {
  preloadRoomCode()
  await loadDaily()
}

/** Makes a Daily room. The address is given at `join`. Rejects with a `RoomOptionError` for options that no room takes. */
export async function createDailyRoom(url: string, options: RoomOptions = {}): Promise<CallRoom> {
  const { createDailyCall } = await loadDaily()
  return createDailyCall(options, url, { openMicrophone, clock: wallClock })
}
