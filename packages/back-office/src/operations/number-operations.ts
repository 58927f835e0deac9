import { z } from 'zod'
import { created, json, operation } from './operation.js'

/** Twilio is asked about a number. */
const ASK_MS = 30_000

const phone = z.string().regex(/^\+[1-9]\d{6,14}$/)
const number = z.object({
  id: z.string(),
  /** E.164; null for a SIP address of a hosted platform. */
  number: z.string().nullable(),
  name: z.string().nullable(),
  /** Who answers it. */
  assistantId: z.string().nullable(),
  /** Calls whoever has no number of their own. */
  isDefault: z.boolean(),
})
/** A query, because a stored slug may be any. */
const visitor = z.object({ slug: z.string().min(1) })
const which = z.object({ id: z.string().min(1).max(200) })

const noNumber = () => ({
  code: 'invalid_phone',
  message:
    'Give the number in the E.164 format, such as +14155552671, and a name of one line at most 40 long',
})

/** The numbers that calls are made from. They travel in bodies, never in an address. */
export const numberOperations = {
  list: operation({
    method: 'GET',
    path: '/numbers',
    summary: 'The numbers that calls are made from, the oldest first',
    role: 'viewer',
    /** `visitors`: how many are called from this number, and not from the default. */
    answer: json(z.object({ numbers: z.array(number.extend({ visitors: z.number() })) })),
    patienceMs: ASK_MS,
    isQuick: true,
  }),
  add: operation({
    method: 'POST',
    path: '/numbers/add',
    summary: 'Stores a number of the Twilio account, or one of its verified caller ids',
    role: 'owner',
    body: z.object({
      number: phone,
      name: z.string().min(1).max(40).optional(),
      assistantId: z.uuid().optional(),
    }),
    refusal: noNumber,
    answer: created(number),
    audit: 'number_added',
    notes: ['id'],
    patienceMs: ASK_MS,
  }),
  setDefault: operation({
    method: 'POST',
    path: '/numbers/default',
    summary: 'Has a number call whoever has no number of their own',
    role: 'owner',
    body: which,
    answer: json(number),
    audit: 'number_default',
    notes: ['id'],
    patienceMs: ASK_MS,
  }),
  receive: operation({
    method: 'POST',
    path: '/numbers/receive',
    summary: 'Has Twilio send calls to a number of the account to this server, and says who answers them',
    role: 'owner',
    body: which.extend({
      /** Also where they go elsewhere now. */
      overwrite: z.boolean().optional(),
      /** Who answers whoever was not called lately; null for nobody. Left out: as before. */
      assistantId: z.uuid().nullable().optional(),
    }),
    /** `isNews`: they did not come here before. */
    answer: json(number.extend({ isNews: z.boolean() })),
    audit: 'number_inbound',
    notes: ['id'],
    patienceMs: ASK_MS,
  }),
  remove: operation({
    method: 'POST',
    path: '/numbers/remove',
    summary: 'Removes a number here, not at Twilio; its visitors are called from the default',
    role: 'owner',
    body: which,
    answer: json(number),
    audit: 'number_removed',
    notes: ['id'],
    patienceMs: ASK_MS,
  }),
  assigned: operation({
    method: 'GET',
    path: '/numbers/assigned',
    summary: 'The number that calls a visitor; null for the default',
    role: 'viewer',
    query: visitor,
    answer: json(z.object({ slug: z.string(), number: number.nullable() })),
    patienceMs: ASK_MS,
    isQuick: true,
  }),
  assign: operation({
    method: 'POST',
    path: '/numbers/assign',
    summary: 'Chooses the number that calls a visitor; null for the default',
    role: 'editor',
    query: visitor,
    body: z.object({ number: phone.nullable() }),
    refusal: noNumber,
    /** `isChanged`: another number called them before. */
    answer: json(z.object({ slug: z.string(), number: number.nullable(), isChanged: z.boolean() })),
    audit: 'visitor_caller_id',
    notes: ['slug'],
    patienceMs: ASK_MS,
  }),
}
