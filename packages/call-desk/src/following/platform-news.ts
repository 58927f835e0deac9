import { z } from 'zod'
import type { CallNews } from '../queue/call-news.js'

/** Times from here on are nobody's: ISO 8601 and databases write them in other ways. */
const endOfTime = Date.UTC(10_000, 0)

/** Milliseconds since the epoch, or ISO 8601, as the platform writes times in different places. An odd one counts as none. */
const time = z
  .union([z.number(), z.string()])
  .transform((value) => new Date(value))
  .refine((date) => date.getTime() >= 0 && date.getTime() < endOfTime)
  .optional()
  .catch(undefined)

/** No database stores a NUL. */
const storable = z.string().refine((value) => !value.includes('\0'))

const text = storable.optional().catch(undefined)

/** A platform's id; longer ones do not fit into the index. */
const callId = storable.min(1).max(200)

/** What the desk reads of a call, wherever it comes. */
const call = z.object({
  id: callId,
  name: text,
  status: text,
  endedReason: text,
  startedAt: time,
  endedAt: time,
})

/** The body that the platform posts: `{ message }`. Only what the desk reads. */
export const platformMessage = z.object({
  message: z.object({
    type: z.string(),
    call: call.optional().catch(undefined),
    timestamp: time,
    status: text,
    endedReason: text,
    startedAt: time,
    endedAt: time,
  }),
})

export type PlatformMessage = z.output<typeof platformMessage>['message']

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The desk names each call by its own id. */
function requestIdOf(name: string | undefined): string | undefined {
  return name !== undefined && uuid.test(name) ? name : undefined
}

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

/** The news in a server message, or undefined when it has none for the desk. */
export function newsOfMessage(message: PlatformMessage, now: Date): CallNews | undefined {
  if (!message.call) return undefined
  const { id: callId, name } = message.call
  const common = { callId, requestId: requestIdOf(name), endedReason: message.endedReason }
  const at = message.timestamp ?? now
  if (message.type === 'status-update') return { ...common, ...newsOfStatus(message.status, at) }
  if (message.type !== 'end-of-call-report') return undefined
  return {
    ...common,
    state: 'ended',
    inProgressAt: message.startedAt,
    endedAt: message.endedAt ?? at,
    isReport: true,
  }
}

/** The news in a call as the platform's API answers it, or undefined when the answer is no call. */
export function newsOfCall(answer: unknown, now: Date): CallNews | undefined {
  const parsed = call.safeParse(answer)
  if (!parsed.success) return undefined
  const { id: callId, name, status, endedReason, startedAt, endedAt } = parsed.data
  const news: CallNews = { callId, requestId: requestIdOf(name), ...newsOfStatus(status, now) }
  if (news.state === 'in-progress') return { ...news, inProgressAt: startedAt ?? now }
  if (news.state === 'ended')
    return { ...news, inProgressAt: startedAt, endedAt: endedAt ?? now, endedReason }
  return news
}
