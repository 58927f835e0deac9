import { fileURLToPath } from 'node:url'
import { operations, PlatformClient, PlatformError } from '@heyline/platform-client'
import { type Given, idsOf, methodOf, type OfficialClient } from './official-client.js'

const ROWS = new Map(operations.map((row) => [`${row.method} ${row.path}`, row]))
export const OUR_DECLARED = {
  file: fileURLToPath(new URL('../../../../platform-client/src/platform-client.ts', import.meta.url)),
  className: 'PlatformClient',
}

/** Our own client, by the table that its methods come from. */
export function ourClient(baseUrl: string, token: string): OfficialClient {
  const client = new PlatformClient({ token, baseUrl, retries: 0 })
  const ask = (operation: string, given: Given, kind: 'name' | 'stream') => {
    const row = ROWS.get(operation)
    const rest = given.body ?? given.query
    return methodOf(client, `${row?.resource}.${row?.[kind]}`)(
      ...idsOf(operation, given),
      ...(rest === undefined ? [] : [rest]),
    )
  }
  return {
    name: '@heyline/platform-client',
    declared: OUR_DECLARED,
    methodAt(operation) {
      const row = ROWS.get(operation)
      return row && `${row.resource}.${row.name}`
    },
    send: (operation, given) => ask(operation, given, 'name'),
    async stream(operation, given) {
      const events: unknown[] = []
      const answer = await ask(operation, given, 'stream')
      if (!(answer instanceof Object && Symbol.asyncIterator in answer))
        throw new Error('It gives no events.')
      for await (const event of answer as AsyncIterable<unknown>) events.push(event)
      return events
    },
    refusalIn: async (error) =>
      error instanceof PlatformError ? { status: error.status, message: error.message } : undefined,
  }
}
