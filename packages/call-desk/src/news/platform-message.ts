import { z } from 'zod'
import { platformCall, prose, remains, requestIdOf, time, word } from './platform-call.js'

/** Longest piece of speech that is looked at. */
const LONGEST_SPEECH = 10_000

/** The body that the platform posts: `{ message }`. Only what the desk reads. */
const posted = z.object({
  message: z.object({
    ...remains,
    type: z.string().max(200),
    call: platformCall.optional().catch(undefined),
    timestamp: time,
    status: word,
    endedReason: word,
    startedAt: time,
    endedAt: time,
    role: word,
    transcriptType: word,
  }),
})

type Posted = z.output<typeof posted>['message']

const storedTime = z.iso
  .datetime()
  .transform((value) => new Date(value))
  .optional()

/**
 * A message as the inbox keeps it: what the desk reads of it and nothing else, so that no prompt or number lies there.
 * - `status`: a status of the call. `report`: the platform's record of a call that is over.
 * - `said`: words of the person called. `hang`: the assistant is late with its answer.
 */
export const inboxMessage = z.object({
  kind: z.enum(['status', 'report', 'said', 'hang']),
  /** The platform's id. */
  callId: z.string(),
  /** Our own, where the platform gave it back. */
  requestId: z.string().optional(),
  controlUrl: z.string().optional(),
  /** Whose call it is, of a call in the browser that was made lately. */
  webAssistantId: z.string().optional(),
  /** When the platform said it; undefined where it did not say when. */
  at: storedTime,
  status: z.string().optional(),
  endedReason: z.string().optional(),
  answeredAt: storedTime,
  startedAt: storedTime,
  endedAt: storedTime,
  /** Millionths of a US dollar. */
  cost: z.number().optional(),
  transcript: z.string().optional(),
  summary: z.string().optional(),
  /** What was said; of a report all turns of the person called, a line each, where it shows turns. */
  text: z.string().optional(),
})

export type InboxMessage = z.output<typeof inboxMessage>

/** Undefined for a message that the desk does nothing about. */
function kindOf({ type, role, transcriptType }: Posted): InboxMessage['kind'] | undefined {
  if (type === 'status-update') return 'status'
  if (type === 'end-of-call-report') return 'report'
  if (type === 'hang') return 'hang'
  const isFinal = type === 'transcript' ? transcriptType === 'final' : FINAL_TRANSCRIPT.test(type)
  return isFinal && role === 'user' ? 'said' : undefined
}

/** The platform has several names for it. */
const FINAL_TRANSCRIPT = /^transcript\[transcriptType=["']final["']\]$/

function fieldsOf(kind: InboxMessage['kind'], message: Posted): Partial<InboxMessage> {
  const { call } = message
  switch (kind) {
    case 'status':
      return { status: message.status, endedReason: message.endedReason ?? call?.endedReason }
    case 'said':
      return { text: prose(LONGEST_SPEECH).parse(message.transcript) }
    case 'hang':
      return {}
    case 'report':
      return {
        endedReason: message.endedReason ?? call?.endedReason,
        startedAt: message.startedAt ?? call?.startedAt,
        endedAt: message.endedAt ?? call?.endedAt,
        cost: message.cost ?? call?.cost,
        transcript: message.artifact?.transcript ?? message.transcript ?? call?.artifact?.transcript,
        text: (message.artifact?.messages ?? call?.artifact?.messages)?.join('\n') || undefined,
        summary: message.analysis?.summary ?? message.summary ?? call?.analysis?.summary,
      }
  }
}

/** Longest time between the making of a call and a message that is the first we hear of it. In milliseconds. */
const LATE_MS = 86_400_000

function assistantOf({ type, assistantId, createdAt }: NonNullable<Posted['call']>): string | undefined {
  const isLate = createdAt === undefined || Date.now() - createdAt.getTime() > LATE_MS
  return type === 'webCall' && !isLate ? assistantId : undefined
}

/** What a body says. `message` is missing where it says nothing that the desk acts on, or names no call; undefined is no body of the platform's. */
export function readMessage(body: Uint8Array): { message?: InboxMessage } | undefined {
  let message: Posted
  try {
    message = posted.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))).message
  } catch {
    return undefined
  }
  const kind = kindOf(message)
  if (!kind || !message.call) return {}
  const { id: callId, name, monitor, transport } = message.call
  return {
    message: {
      kind,
      callId,
      requestId: requestIdOf(name),
      controlUrl: monitor?.controlUrl,
      webAssistantId: assistantOf(message.call),
      at: message.timestamp,
      answeredAt: transport?.answeredAt,
      ...fieldsOf(kind, message),
    },
  }
}

/** A message as it was stored. Rejects nothing that `JSON.stringify` made of an `InboxMessage`. */
export function storedMessage(body: string): InboxMessage {
  return inboxMessage.parse(JSON.parse(body))
}
