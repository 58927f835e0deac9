import { isOneLine } from '@heyline/kit/one-line'
import { isStorable } from '@heyline/kit/storable'
import { z } from 'zod'
import { EVENT_TYPES } from '../events/event.js'

/** Signed webhooks for programs; incoming webhooks as Slack has them; mails. */
const ENDPOINT_KINDS = ['webhook', 'slack', 'email'] as const
export type EndpointKind = (typeof ENDPOINT_KINDS)[number]

/** Most endpoints of an installation. */
export const ENDPOINTS_MOST = 20
/** Longest name, in characters. */
export const ENDPOINT_NAME_MOST = 100
/** Longest target, in characters. */
const TARGET_MOST = 2000

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((text) => isOneLine(text) && isStorable(text), 'must be one line of text')

const events = z
  .array(z.enum(EVENT_TYPES))
  .min(1)
  .transform((types) => [...new Set(types)])

/** Somebody to tell. */
export const newEndpoint = z.object({
  name: line(ENDPOINT_NAME_MOST),
  kind: z.enum(ENDPOINT_KINDS),
  /** An https address; for `email`, one e-mail address. */
  target: line(TARGET_MOST),
  events,
  /** E-mail only: one mail a day at 08:00 UTC, instead of one for each event. */
  isDigest: z.boolean().default(false),
})
export type NewEndpoint = z.input<typeof newEndpoint>

/** What is left out stays as it is. */
export const endpointChange = z.object({
  name: line(ENDPOINT_NAME_MOST).optional(),
  target: line(TARGET_MOST).optional(),
  events: events.optional(),
  isDigest: z.boolean().optional(),
  /** False: nothing is sent, and what happens meanwhile is not kept for it. */
  isEnabled: z.boolean().optional(),
})
export type EndpointChange = z.input<typeof endpointChange>

/** ISO 8601. */
const time = z.string()

export const endpoint = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(ENDPOINT_KINDS),
  target: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  isDigest: z.boolean(),
  /** Set by EVENTS_URL: settings alone change it. */
  isOfSettings: z.boolean(),
  /** Until then the secret before signs, too. */
  formerUntil: time.nullable(),
  disabledAt: time.nullable(),
  disabledReason: z.string().nullable(),
  createdAt: time,
  /** What is still to be sent, and what was given up. */
  pending: z.number(),
  dead: z.number(),
})
export type Endpoint = z.output<typeof endpoint>

/** An endpoint with its secret, which is shown this once. */
export interface EndpointWithSecret {
  endpoint: Endpoint
  /** Of webhooks: `whsec_` and base64. */
  secret: string | null
}

/** What became of a test. */
export const testResult = z.object({
  isDelivered: z.boolean(),
  status: z.number().nullable(),
  ms: z.number(),
  error: z.string().nullable(),
})
export type TestResult = z.output<typeof testResult>
