import { z } from 'zod'

/** These have changed: whoever shows them asks for them anew. */
export const officeChange = z.object({
  event: z.enum(['visitors', 'operators', 'audit', 'timeline', 'endpoints', 'tickets']),
  data: z.object({}),
})
export type OfficeChange = z.output<typeof officeChange>
