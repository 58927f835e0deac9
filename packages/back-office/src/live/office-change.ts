import { z } from 'zod'

/** Operators changed these: whoever shows them asks for them anew. */
export const officeChange = z.object({
  event: z.enum(['visitors', 'operators', 'audit']),
  data: z.object({}),
})
export type OfficeChange = z.output<typeof officeChange>
