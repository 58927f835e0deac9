import { isStorable, storable } from '@heyline/kit/storable'
import { z } from 'zod'

const WEB_ADDRESS = /^https?:$/

/** An address that takes commands for a running call: of the web, and without credentials. */
export const controlUrl = z
  .string()
  .max(2000)
  .refine((value) => {
    if (!isStorable(value) || !URL.canParse(value)) return false
    const { protocol, username, password } = new URL(value)
    return WEB_ADDRESS.test(protocol) && username === '' && password === ''
  })

const monitored = z.object({ monitor: z.object({ controlUrl }) })

/** Where the platform takes commands for a running call, in its answer about the call; undefined where it says nothing that can be used. */
export function controlUrlOf(answer: unknown): string | undefined {
  const parsed = monitored.safeParse(answer)
  return parsed.success ? parsed.data.monitor.controlUrl : undefined
}

/** How far the platform's clock may be ahead of ours, in milliseconds. */
const AHEAD_MS = 86_400_000

/** Milliseconds since the epoch, or ISO 8601, as the platform writes times in different places. An odd one, or one to come, counts as none. */
export const time = z
  .union([z.number(), z.string()])
  .transform((value) => new Date(value))
  .refine((date) => date.getTime() >= 0 && date.getTime() < Date.now() + AHEAD_MS)
  .optional()
  .catch(undefined)

/** A short text; an odd one counts as none. */
export const word = z.string().max(500).refine(isStorable).optional().catch(undefined)

/** A text of at most so many characters: the rest is cut off, and what cannot be stored left out. An empty one counts as none. */
export const prose = (most: number) =>
  z
    .string()
    .transform((value) => storable(value.slice(0, most)) || undefined)
    .optional()
    .catch(undefined)

/** Most dollars that are believed. */
const MOST_DOLLARS = 1_000_000

/** US dollars, as millionths. */
export const microdollars = z
  .number()
  .min(0)
  .max(MOST_DOLLARS)
  .transform((dollars) => Math.round(dollars * 1_000_000))
  .optional()
  .catch(undefined)

/** A platform's id; longer ones do not fit into the index. */
const callId = z.string().min(1).max(200).refine(isStorable)

/** How much of what the person called said is read: so many turns, and characters of each. */
const MOST_TURNS = 2_000
const LONGEST_TURN = 10_000
const userTurn = z.object({ role: z.literal('user'), message: prose(LONGEST_TURN) })

/** Of the turns of a conversation, what the person called said. */
const saidByUser = z
  .array(z.unknown())
  .transform((turns) =>
    turns.slice(0, MOST_TURNS).flatMap((turn) => {
      const { success, data } = userTurn.safeParse(turn)
      return success && data.message !== undefined ? [data.message] : []
    }),
  )
  .optional()
  .catch(undefined)

/** What is left of the conversation, in a call and in its report. */
const LONGEST_TRANSCRIPT = 1_000_000
const LONGEST_SUMMARY = 10_000

export const remains = {
  transcript: prose(LONGEST_TRANSCRIPT),
  summary: prose(LONGEST_SUMMARY),
  artifact: z
    .object({ transcript: prose(LONGEST_TRANSCRIPT), messages: saidByUser })
    .optional()
    .catch(undefined),
  analysis: z
    .object({ summary: prose(LONGEST_SUMMARY) })
    .optional()
    .catch(undefined),
  cost: microdollars,
}

/** When the carrier of the built-in platform began to bill the call. A hosted platform tells what a call costs. */
const answered = z.object({ answeredAt: time }).optional().catch(undefined)

/** What the desk reads of a call, wherever it comes. */
export const platformCall = z.object({
  id: callId,
  name: word,
  type: word,
  assistantId: word,
  status: word,
  endedReason: word,
  createdAt: time,
  startedAt: time,
  endedAt: time,
  transport: answered,
  monitor: z.object({ controlUrl }).optional().catch(undefined),
  ...remains,
  messages: saidByUser,
})

export type PlatformCall = z.output<typeof platformCall>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The desk names each call by its own id. */
export function requestIdOf(name: string | undefined): string | undefined {
  return name !== undefined && UUID.test(name) ? name : undefined
}
