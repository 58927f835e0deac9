import type { CallRoom, RoomOptions } from '../call-room.js'

let loading: Promise<typeof import('@daily-co/daily-js')> | undefined

/** Loads Daily's library once; a load that failed is tried again the next time. */
export function loadDaily(): Promise<typeof import('@daily-co/daily-js')> {
  loading ??= import('@daily-co/daily-js').catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/**
 * Makes a Daily room. The address is given at `join`. Daily runs without `eval`, so that a strict content security
 * policy holds, and several rooms may exist in one page, so that one being left does not stand in another's way.
 */
export async function createDailyRoom(_url: string, options: RoomOptions = {}): Promise<CallRoom> {
  const { default: daily } = await loadDaily()
  return daily.createCallObject({
    allowMultipleCallInstances: true,
    ...options,
    dailyConfig: { avoidEval: true, ...options.dailyConfig },
  })
}
