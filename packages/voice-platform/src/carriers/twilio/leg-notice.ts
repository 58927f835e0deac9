import { z } from 'zod'

/** The NOTIFY channel on which the processes of one installation hear of legs. */
export const LEG_CHANNEL = 'voice_platform_carrier_legs'

/** What one process tells all of a leg, itself included: it is over. */
const legNotice = z.object({ callId: z.uuid(), type: z.literal('over') })

export type LegNotice = z.infer<typeof legNotice>

/** Reads a notice; undefined for what is none. */
export function readLegNotice(payload: string): LegNotice | undefined {
  try {
    return legNotice.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
