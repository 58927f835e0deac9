import { z } from 'zod'

/** What came of a call that an operator asked for again. Refused by the gate is an answer, too: `reason` says why in plain words. */
export const calledAgain = z.object({
  /** Of the new request; null where nothing was stored of a refused one. */
  id: z.string().nullable(),
  accepted: z.boolean(),
  refusal: z.string().nullable(),
  reason: z.string().nullable(),
})
export type CalledAgain = z.output<typeof calledAgain>
