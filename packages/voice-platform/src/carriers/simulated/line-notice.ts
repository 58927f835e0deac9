import { z } from 'zod'
import { LEG_ENDS } from '../carrier.js'

/** The NOTIFY channel on which the processes of one installation hear of simulated calls. */
export const LINE_CHANNEL = 'voice_platform_phone_line'

const callId = z.uuid()

/** What one process tells all of a call, itself included. It has ids only; the numbers are in the database. */
const callNotice = z.discriminatedUnion('type', [
  /** Ring every open phone. */
  z.object({ type: z.literal('ring'), callId }),
  /** This process has phones that ring. */
  z.object({ type: z.literal('rings'), callId, process: z.uuid() }),
  /** No phone of this process rings any more: somebody has declined, or all were closed. */
  z.object({ type: z.literal('silent'), callId, process: z.uuid(), why: z.enum(['declined', 'left']) }),
  /** Somebody picked up: this phone, where it was one. */
  z.object({ type: z.literal('answered'), callId, phone: z.uuid().optional() }),
  /** Whoever picked up has come into the room. */
  z.object({ type: z.literal('connected'), callId }),
  /** The call is over: nobody is to ring any more. */
  z.object({
    type: z.literal('stop'),
    callId,
    reason: z.enum(['canceled', 'no-answer']),
    end: z.enum(LEG_ENDS).default('failed'),
  }),
  /** Whoever has the link closes it. */
  z.object({ type: z.literal('hang-up'), callId }),
])

/** A text message. It is nowhere else: it may be a secret code, so no table keeps it. The longest is a quarter of what NOTIFY carries. */
const textNotice = z.object({
  type: z.literal('text'),
  id: z.uuid(),
  from: z.string(),
  to: z.string(),
  body: z.string(),
})

const lineNotice = z.discriminatedUnion('type', [callNotice, textNotice])

export type CallNotice = z.infer<typeof callNotice>
export type TextNotice = z.infer<typeof textNotice>
export type LineNotice = CallNotice | TextNotice

/** Reads a notice; undefined for what is none. */
export function readNotice(payload: string): LineNotice | undefined {
  try {
    return lineNotice.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
