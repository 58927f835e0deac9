import type { PlatformClient } from '@heyline/platform-client'
import { createAssistantOverrides } from '../assistant-overrides.js'
import { newsOfCall } from '../following/platform-news.js'
import type { CallNews } from '../queue/call-news.js'
import type { Visitor } from '../visitor.js'
import { judgeFailure, type PlacingFailure } from './placing-failure.js'

/** What every call of the desk has in common. */
export interface CallSettings {
  platform: PlatformClient
  /** The assistant that speaks. */
  assistantId: string
  /** The caller id; the platform's choice where there is none. */
  phoneNumberId?: string
}

export type Placement = { kind: 'placed'; news: CallNews } | PlacingFailure

/** Asks the platform, once, to place the call. The request's id is the call's name, so that messages about it find their row. */
export async function placeCall(
  { platform, assistantId, phoneNumberId }: CallSettings,
  request: { id: string; phone: string },
  visitor: Visitor,
  timeoutMs: number,
): Promise<Placement> {
  try {
    const call: unknown = await platform.calls.create(
      {
        assistantId,
        assistantOverrides: createAssistantOverrides(visitor),
        customer: { number: request.phone },
        ...(phoneNumberId === undefined ? {} : { phoneNumberId }),
        name: request.id,
      },
      { signal: AbortSignal.timeout(timeoutMs) },
    )
    const news = newsOfCall(call, new Date())
    return news
      ? { kind: 'placed', news }
      : { kind: 'unknown', reason: 'platform_no_call_id: the answer is no call' }
  } catch (error) {
    const failure = judgeFailure(error)
    return { ...failure, reason: failure.reason.replaceAll(request.phone, '[number]') }
  }
}
