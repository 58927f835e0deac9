import { z } from 'zod'
import { callLine } from './call-record.js'
import { switchesShown } from './desk-status.js'

/** What a console is told as it happens. */
export const liveEvent = z.discriminatedUnion('event', [
  /** A call as it stands now; without a line it is gone from the records. */
  z.object({ event: z.literal('call'), data: z.object({ id: z.string(), line: callLine.nullable() }) }),
  /** What stops all dialling: at the beginning, and whenever it changes. */
  z.object({ event: z.literal('switches'), data: switchesShown }),
])
export type LiveEvent = z.output<typeof liveEvent>
