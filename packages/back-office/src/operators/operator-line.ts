import { z } from 'zod'
import { ROLES } from './role.js'

const time = z.string().nullable()
const role = z.enum(ROLES)

/** An operator as plain JSON, so that it reads the same through a server. Times are ISO 8601. */
export const operatorLine = z.object({
  userId: z.string(),
  email: z.string(),
  role,
  invitedBy: z.string(),
  invitedAt: z.string(),
  /** Null for who never came in. */
  joinedAt: time,
  lastSeenAt: time,
})

/** A link that was made for an operator. */
export const sentLink = z.object({
  email: z.string(),
  role,
  /** Where they choose a password. Good once. Only they should see it. */
  link: z.string(),
  /** `invite`: the account is new, or was never used. `recovery`: there is one, and its password goes on until a new one is chosen. */
  kind: z.enum(['invite', 'recovery']),
  /** Whether it was also sent by mail; `off` where no mail server is set. */
  mail: z.enum(['sent', 'failed', 'off']),
  /** Why the mail failed. */
  mailFailure: z.string().optional(),
})

export const resetLink = sentLink.extend({ factors: z.number() })
export const operatorRole = operatorLine.pick({ email: true, role: true })
export const removedOperator = operatorLine.pick({ email: true })
export const setupLink = z.object({ link: z.string() })

export type OperatorLine = z.output<typeof operatorLine>
export type SentLink = z.output<typeof sentLink>
