import { z } from 'zod'

/** The NOTIFY channel on which the processes of one installation hear of legs. */
export const LEG_CHANNEL = 'voice_platform_carrier_legs'

/**
 * Who has answered, as far as it is known: `tone` is a machine whose greeting is over, `machine` one of which that is not known, or a fax.
 */
export const answeredBy = z.enum(['human', 'machine', 'tone', 'unknown'])

export type AnsweredBy = z.infer<typeof answeredBy>

const callId = z.uuid()

/** What one process tells all of a leg, itself included. */
const legNotice = z.discriminatedUnion('type', [
  z.object({ type: z.literal('over'), callId }),
  z.object({ type: z.literal('answered-by'), callId, by: answeredBy }),
])

export type LegNotice = z.infer<typeof legNotice>

/** Reads a notice; undefined for what is none. */
export function readLegNotice(payload: string): LegNotice | undefined {
  try {
    return legNotice.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
