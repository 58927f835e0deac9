import { z } from 'zod'
import { json, LONG_PATIENCE_MS, lines, operation } from './operation.js'

/** One of the two. Who it is stands in bodies, never in an address. */
const person = z.object({ number: z.string().optional(), visitor: z.string().optional() })

export const personOperations = {
  export: operation({
    method: 'POST',
    path: '/person/export',
    summary: 'Everything that is stored about a person, table by table',
    role: 'owner',
    body: person,
    longest: 10_000,
    answer: lines(z.object({ table: z.string(), rows: z.array(z.unknown()) })),
    audit: 'person_exported',
    reads: true,
    patienceMs: LONG_PATIENCE_MS,
  }),
  erase: operation({
    method: 'POST',
    path: '/person/erase',
    summary: 'Removes all of it but the do-not-call entry and the money',
    role: 'owner',
    body: person,
    longest: 10_000,
    answer: json(
      z.object({
        requests: z.number(),
        messages: z.number(),
        /** Customers of campaigns who had the number. */
        customers: z.number(),
        doNotCall: z.boolean(),
        visitor: z.boolean(),
        /** The visitor's, which are erased with it. */
        formerSlugs: z.array(z.string()),
        calls: z.number(),
        sessions: z.number(),
        chats: z.number(),
        factors: z.number(),
        accounts: z.number(),
        hostedCalls: z.array(z.string()),
        /** The number is looked for once more in what others tell: within five hours, or within an hour of the end of calls that run then. */
        hidesLater: z.boolean(),
      }),
    ),
    audit: 'person_erased',
    patienceMs: LONG_PATIENCE_MS,
  }),
}
