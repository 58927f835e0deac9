import { z } from 'zod'
import { resourceName } from '../resources/resource-name.js'

const MOST_ORIGINS = 100
const MOST_ASSISTANTS = 1_000

const isOrigin = (text: string): boolean => {
  try {
    return /^https?:$/.test(new URL(text).protocol)
  } catch {
    return false
  }
}

const restrictions = z.strictObject({
  enabled: z.boolean().optional(),
  allowedOrigins: z
    .array(z.string().max(300).refine(isOrigin, 'must be an origin (https://example.com)'))
    .max(MOST_ORIGINS)
    .optional(),
  allowedAssistantIds: z.array(z.uuid()).max(MOST_ASSISTANTS).optional(),
  allowTransientAssistant: z.boolean().optional(),
})

/** Body of `POST /token` and of `PATCH /token/{id}` (the platform's CreateTokenDTO and UpdateTokenDTO). */
export const tokenBody = z.strictObject({
  tag: z.enum(['private', 'public']).optional(),
  name: resourceName.optional(),
  restrictions: restrictions.optional(),
})

export type TokenBody = z.infer<typeof tokenBody>
