import type { Call } from '@heyline/platform-client'
import { z } from 'zod'

/** What of a call the page needs and may see. The rest holds the visitor's texts, or steers the call. */
const publicCall = z.object({
  id: z.string(),
  orgId: z.string().optional(),
  type: z.string().optional(),
  status: z.string().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
  assistantId: z.string().optional(),
  webCallUrl: z.string().min(1),
  assistant: z
    .object({ voice: z.object({ provider: z.string() }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  artifactPlan: z
    .object({ videoRecordingEnabled: z.boolean().optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

export type PublicCall = z.output<typeof publicCall>

/**
 * A call as the public key would have got it: without the addresses that steer and hear it, the prompt and the first message. Undefined where
 * the answer is no call that can be joined.
 */
export function publicCallOf(call: Call | undefined): PublicCall | undefined {
  return publicCall.safeParse(call).data
}
