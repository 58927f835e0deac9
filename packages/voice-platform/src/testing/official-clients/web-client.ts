import { createRequire } from 'node:module'
import { Api } from '@vapi-ai/web/dist/api.js'
import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import type { ClientTypes } from './client-types.js'
import { type Given, idsOf, methodOf, type OfficialClient } from './official-client.js'

export const WEB_DECLARED = {
  file: createRequire(import.meta.url).resolve('@vapi-ai/web/dist/api.d.ts'),
  className: 'Api',
}

const answered = z.looseObject({ ok: z.literal(true), data: z.unknown() })
/** It rejects with the response, with the body of the platform's error as `error`. */
const refused = z.looseObject({ message: z.union([z.string(), z.array(z.string())]) })

/** The API client of `@vapi-ai/web`, with the settings that its own package gives it. Its methods name their operations in their comments. */
export function webClient(baseUrl: string, token: string, types: ClientTypes): OfficialClient {
  const api = new Api<string>({
    baseUrl,
    baseApiParams: { secure: true },
    securityWorker: async (key) => (key ? { headers: { Authorization: `Bearer ${key}` } } : {}),
  })
  api.setSecurityData(token)
  const names = new Map(
    Array.from(types.methodsOf(WEB_DECLARED).values(), ({ operation, name }) => [operation, name]),
  )
  const ask = async (operation: string, given: Given, params: object[] = []) => {
    const rest = given.body ?? given.query
    const words = [...idsOf(operation, given), ...(rest === undefined ? [] : [rest]), ...params]
    return answered.parse(await methodOf(api, names.get(operation) ?? operation)(...words)).data
  }
  return {
    name: '@vapi-ai/web',
    declared: WEB_DECLARED,
    methodAt: (operation) => names.get(operation),
    send: (operation, given) => ask(operation, given),
    text: (operation, given) => ask(operation, given, [{ format: 'text' }]),
    async stream(operation, given) {
      const events: unknown[] = []
      const parser = createParser({
        onEvent: ({ data }) => void (data !== '[DONE]' && events.push(JSON.parse(data))),
      })
      parser.feed(z.string().parse(await ask(operation, given, [{ format: 'text' }])))
      return events
    },
    async refusalIn(error) {
      if (!(error instanceof Response) || error.ok) return undefined
      // Of operations that answer nothing it reads no answer: whoever calls them reads the response.
      const body = Reflect.get(error, 'error') ?? (await error.json())
      return { status: error.status, message: String(refused.parse(body).message) }
    },
  }
}
