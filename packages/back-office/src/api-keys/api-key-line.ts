import { z } from 'zod'
import { ROLES } from '../operators/role.js'

/** What every key begins with: so that scanners for leaked keys know it, and the server too. */
export const API_KEY_PREFIX = 'hlk_'
/** Longest life of a key, in days. */
export const API_KEY_DAYS = 365

/** A key without its secret. Times are ISO 8601. */
export const apiKeyLine = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Null for one that was never used. */
  lastUsedAt: z.string().nullable(),
})

export type ApiKeyLine = z.output<typeof apiKeyLine>
