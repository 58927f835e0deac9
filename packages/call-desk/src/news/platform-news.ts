import type { CallNews } from './call-news.js'
import { type PlatformCall, platformCall, requestIdOf } from './platform-call.js'
import type { InboxMessage } from './platform-message.js'

/** After the end, the platform works on its record for a while; what it shows before may not be all. In milliseconds. */
const RECORD_MS = 30_000

/** What a status of the platform's means for a request, heard of at this time. Other statuses mean nothing here. */
function newsOfStatus(status: string | undefined, at: Date): Partial<CallNews> {
  switch (status) {
    case 'ringing':
      return { state: 'ringing', ringingAt: at }
    case 'in-progress':
    case 'forwarding':
      return { state: 'in-progress', inProgressAt: at }
    case 'ended':
      return { state: 'ended', endedAt: at }
    default:
      return {}
  }
}

/** The news in a message that came at this time. What was said is none, nor is a delay. */
export function newsOfMessage(message: InboxMessage, receivedAt: Date): CallNews | undefined {
  const { callId, requestId, controlUrl, endedReason } = message
  const heardAt = message.at ?? receivedAt
  const common = { callId, requestId, controlUrl, heardAt, answeredAt: message.answeredAt }
  if (message.kind === 'status') {
    const news = newsOfStatus(message.status, heardAt)
    return { ...common, ...news, ...(news.state === 'ended' ? { endedReason } : {}) }
  }
  if (message.kind !== 'report') return undefined
  return {
    ...common,
    state: 'ended',
    record: 'report',
    inProgressAt: message.startedAt,
    endedAt: message.endedAt,
    endedReason,
    costMicrousd: message.cost,
    transcript: message.transcript,
    saidByUser: message.text?.split('\n'),
    summary: message.summary,
  }
}

/** Whether what the platform shows of an ended call is all that will come of it. */
function isRecord({ endedAt, cost, artifact, transcript }: PlatformCall, now: Date): boolean {
  if (endedAt && now.getTime() - endedAt.getTime() >= RECORD_MS) return true
  return cost !== undefined && (artifact?.transcript ?? transcript) !== undefined
}

/**
 * The news in a call as the platform's API answers it, or undefined when the answer is no call. `isOld`: it is known to have ended a while
 * ago, so that what is shown now is the record.
 */
export function newsOfCall(answer: unknown, now: Date, isOld = false): CallNews | undefined {
  const parsed = platformCall.safeParse(answer)
  if (!parsed.success) return undefined
  const call = parsed.data
  const { id: callId, name, status, startedAt, endedAt, artifact, analysis } = call
  const news: CallNews = {
    callId,
    requestId: requestIdOf(name),
    controlUrl: call.monitor?.controlUrl,
    heardAt: now,
    answeredAt: call.transport?.answeredAt,
    ...newsOfStatus(status, now),
  }
  if (news.state === 'in-progress') return { ...news, inProgressAt: startedAt ?? now }
  if (news.state !== 'ended') return news
  const end = { ...news, inProgressAt: startedAt, endedReason: call.endedReason }
  if (!isOld && !isRecord(call, now)) return { ...end, endedAt: endedAt ?? now }
  return {
    ...end,
    record: 'polled',
    endedAt,
    costMicrousd: call.cost,
    transcript: artifact?.transcript ?? call.transcript,
    saidByUser: artifact?.messages ?? call.messages,
    summary: analysis?.summary ?? call.summary,
  }
}
