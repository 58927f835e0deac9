import { storable } from '@heyline/kit/storable'
import type { PlatformClient } from '@heyline/platform-client'
import type { Visitor } from '../call/visitor-lookup.js'
import type { CallNews } from '../news/call-news.js'
import { controlUrlOf } from '../news/platform-call.js'
import { newsOfCall } from '../news/platform-news.js'
import { reasonCode } from '../run/error-code.js'
import { createAssistantOverrides } from './assistant-overrides.js'
import type { CampaignCall } from './campaign-call.js'
import { judgeFailure, type PlacingFailure } from './placing-failure.js'
import { withoutPrivate } from './private-texts.js'

/** What every call of the desk has in common. */
export interface CallSettings {
  platform: PlatformClient
  /** The assistant that speaks. */
  assistantId: string
  /** The caller id; the platform's choice where there is none. */
  phoneNumberId?: string
  /** Spoken first. */
  disclosure: string
  /** See `OverridesOptions`. */
  mayBeRecorded?: boolean | undefined
}

/** What differs from call to call. */
export interface CallToPlace {
  /** The request's. */
  id: string
  /** E.164. */
  phone: string
  visitor: Visitor
  /** Spoken first, after the disclosure, where the visitor has no words for it. */
  firstMessage: string | undefined
  /** Longest call, in seconds. */
  maxSeconds: number
  /** The caller id, where the visitor has one of their own. */
  callerId?: string | null
  /** Whose call it is, where it is no visitor's. */
  campaign?: CampaignCall | undefined
}

export type Placement = { kind: 'placed'; news: CallNews; controlUrl: string | undefined } | PlacingFailure

/** Longest reason that is kept, in characters. */
const LONGEST_REASON = 300

/** What follows is not kept, so it is not looked at either. */
const LONGEST_LOOKED = 10_000

/** What of a reason may stand in the record: no number, and nothing of the visitor's texts. */
function recordedReason(reason: string, { system, first_message }: Visitor): string {
  const texts = [system, first_message].filter((text) => typeof text === 'string')
  const kept =
    withoutPrivate(reason.slice(0, LONGEST_LOOKED), texts) ??
    `${reasonCode(reason)}: the platform’s words are left out`
  return storable(kept.slice(0, LONGEST_REASON))
}

/** Asks the platform, once, to place the call. The request's id is the call's name, so that messages about it find their row. */
export async function placeCall(
  { platform, assistantId, phoneNumberId, disclosure, mayBeRecorded }: CallSettings,
  { id, phone, callerId, campaign, ...words }: CallToPlace,
  timeoutMs: number,
): Promise<Placement> {
  const from = campaign?.phoneNumberId ?? callerId ?? phoneNumberId
  const { variableValues, ...customer } = campaign?.customer ?? {}
  try {
    const call: unknown = await platform.calls.create(
      {
        assistantId: campaign?.assistantId ?? assistantId,
        assistantOverrides: createAssistantOverrides({
          ...words,
          disclosure,
          mayBeRecorded,
          ...(campaign && { campaign: { variableValues, hasServer: campaign.hasServer } }),
        }),
        customer: { ...customer, number: phone },
        ...(from === undefined ? {} : { phoneNumberId: from }),
        name: id,
      },
      { signal: AbortSignal.timeout(timeoutMs) },
    )
    const news = newsOfCall(call, new Date())
    return news
      ? { kind: 'placed', news, controlUrl: controlUrlOf(call) }
      : { kind: 'unknown', reason: 'platform_no_call_id: the answer is no call' }
  } catch (error) {
    const failure = judgeFailure(error)
    return { ...failure, reason: recordedReason(failure.reason, words.visitor) }
  }
}
