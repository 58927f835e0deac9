import type { AssistantOverrides, Call, PlatformClient } from '@heyline/platform-client'
import { controlUrlOf } from '../news/platform-call.js'
import { judgeFailure } from '../placing/placing-failure.js'
import { reasonCode } from '../run/error-code.js'
import type { Timings } from '../run/timings.js'
import { type PublicCall, publicCallOf } from './public-call.js'
import type { OpenReservation } from './web-reservations.js'

/** What makes browser calls with the private key. */
export interface WebCallMaker {
  platform: PlatformClient
  assistantId: string
  timings: Pick<Timings, 'placeTimeoutMs'>
}

export type Reserved = Extract<OpenReservation, { result: 'reserved' }>

/** What came of asking the platform. `ending`: calls were paused meanwhile, so that the call is nobody's to join. */
export type MadeWebCall =
  | { result: 'made'; call: PublicCall }
  | { result: 'ending' }
  | { result: 'failed'; retryAfterSeconds: number | undefined }

/** Asks the platform once for a call that the gate let pass, and stores what became of it. */
export async function makeWebCall(
  { platform, assistantId, timings }: WebCallMaker,
  assistantOverrides: AssistantOverrides,
  reserved: Reserved,
): Promise<MadeWebCall> {
  let call: Call
  try {
    call = await platform.calls.createWeb(
      { assistantId, assistantOverrides },
      { signal: AbortSignal.timeout(timings.placeTimeoutMs) },
    )
  } catch (error) {
    const failure = judgeFailure(error)
    await reserved.closed(failure.kind === 'unknown' ? 'unknown' : 'failed', reasonCode(failure.reason))
    const again = failure.kind === 'retryable' ? Math.ceil(failure.retryAfterMs / 1000) : undefined
    return { result: 'failed', retryAfterSeconds: again }
  }
  const shown = publicCallOf(call)
  if (!shown) {
    await reserved.closed('unknown', 'platform_no_call: the answer is no call that can be joined')
    return { result: 'failed', retryAfterSeconds: undefined }
  }
  const state = await reserved.started({ callId: shown.id, controlUrl: controlUrlOf(call) })
  return state === 'ending' ? { result: 'ending' } : { result: 'made', call: shown }
}
