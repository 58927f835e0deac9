import { z } from 'zod'
import { ROLES } from '../operators/role.js'

/** How long what was entered counts as just entered, in ms. */
export const FRESH_MS = 10 * 60_000

/** A second factor that was confirmed once. */
export const ownFactor = z.object({
  id: z.string(),
  type: z.enum(['totp', 'phone']),
  name: z.string(),
  /** ISO 8601. */
  addedAt: z.string(),
})

/** What comes before anything else. */
const nextStep = z.discriminatedUnion('step', [
  z.object({ step: z.literal('second-factor') }),
  z.object({ step: z.literal('add-factor') }),
  z.object({ step: z.literal('new-password'), link: z.enum(['invite', 'recovery']) }),
  z.object({ step: z.literal('not-an-operator') }),
])

const signedOut = z.object({
  signedIn: z.literal(false),
  /** There is no owner yet: a setup link makes one. */
  setupNeeded: z.boolean(),
})

const signedIn = z.object({
  signedIn: z.literal(true),
  /** Of the account. */
  email: z.string(),
  factors: z.array(ownFactor),
  /** Left out once the operator may go on. */
  next: nextStep.optional(),
  operator: z.object({ userId: z.string(), email: z.string(), role: z.enum(ROLES) }).optional(),
  /** Until when what needs a step-up is open, ISO 8601; left out where it is not. */
  freshUntil: z.string().optional(),
})

/** Who the console's cookie stands for, and what they do next. */
export const sessionState = z.discriminatedUnion('signedIn', [signedOut, signedIn])

export type SessionState = z.output<typeof sessionState>
