import { z } from 'zod'
import { AdminDoor } from '../calls/admin-door.js'
import { LONG_PATIENCE_MS } from '../visitors/answer.js'
import type { People } from './people.js'

const parts = z.array(z.object({ table: z.string(), rows: z.array(z.unknown()) }))
const erased = z.object({
  requests: z.number(),
  messages: z.number(),
  doNotCall: z.boolean(),
  visitor: z.boolean(),
  calls: z.number(),
  factors: z.number(),
  hostedCalls: z.array(z.string()),
})

/** The people in the tables of a running server, through `/-/admin`. Who it is travels in bodies, never in an address. */
export function runningPeople(serverUrl: string, secretKey: string): People {
  const door = new AdminDoor(serverUrl, secretKey)
  return {
    async *export(person) {
      const lines = door.lines('/person/export', AbortSignal.timeout(LONG_PATIENCE_MS), person)
      for await (const part of lines) yield parts.parse(part)
    },
    erase: async (person) => erased.parse(await door.post('/person/erase', person, LONG_PATIENCE_MS)),
  }
}
