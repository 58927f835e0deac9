import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { type Given, methodOf, type OfficialClient } from './official-client.js'

/** The five operations that most of its resources have. */
const crud = (path: string, resource: string) => ({
  [`GET ${path}`]: `${resource}.list`,
  [`POST ${path}`]: `${resource}.create`,
  [`GET ${path}/{id}`]: `${resource}.get`,
  [`PATCH ${path}/{id}`]: `${resource}.update`,
  [`DELETE ${path}/{id}`]: `${resource}.delete`,
})

/** Its methods by what they ask. Nothing in the package itself says that, but its code. */
export const SDK_METHODS: Readonly<Record<string, string>> = {
  ...crud('/assistant', 'assistants'),
  ...crud('/call', 'calls'),
  'GET /v2/call': 'calls.callControllerFindAllPaginated',
  ...crud('/squad', 'squads'),
  ...crud('/phone-number', 'phoneNumbers'),
  'GET /v2/phone-number': 'phoneNumbers.phoneNumberControllerFindAllPaginated',
  'GET /chat': 'chats.list',
  'POST /chat': 'chats.create',
  'GET /chat/{id}': 'chats.get',
  'DELETE /chat/{id}': 'chats.delete',
  'POST /chat/responses': 'chats.createResponse',
  ...crud('/session', 'sessions'),
  'GET /campaign': 'campaigns.campaignControllerFindAll',
  'POST /campaign': 'campaigns.campaignControllerCreate',
  'GET /campaign/{id}': 'campaigns.campaignControllerFindOne',
  'PATCH /campaign/{id}': 'campaigns.campaignControllerUpdate',
  'DELETE /campaign/{id}': 'campaigns.campaignControllerRemove',
  ...crud('/tool', 'tools'),
  ...crud('/file', 'files'),
  'POST /analytics': 'analytics.get',
}
/** Whose changes are a part of their own, beside the id. */
const WITH_BODY = ['tools.update', 'phoneNumbers.update']

const shown = z.object({
  statusCode: z.number(),
  body: z.looseObject({ message: z.union([z.string(), z.array(z.string())]) }),
})

/** `@vapi-ai/server-sdk`, from the folder where it is installed for a run. */
export function serverSdk(baseUrl: string, token: string, folder: string): OfficialClient {
  const require = createRequire(join(folder, 'run.js'))
  const { VapiClient, VapiError } = z
    .object({ VapiClient: z.custom<SdkClass>(isClass), VapiError: z.custom<ErrorClass>(isClass) })
    .parse(require('@vapi-ai/server-sdk'))
  const client = new VapiClient({ token, baseUrl, maxRetries: 0 })
  const named = (operation: string) => SDK_METHODS[operation] ?? operation
  return {
    name: '@vapi-ai/server-sdk',
    declared: { file: sdkTypes(folder), className: 'VapiClient' },
    methodAt: (operation) => SDK_METHODS[operation],
    send: (operation, given) => methodOf(client, named(operation))(requestOf(named(operation), given)),
    async refusalIn(error) {
      const { data } = shown.safeParse(error)
      return error instanceof VapiError && data
        ? { status: data.statusCode, message: String(data.body.message) }
        : undefined
    },
  }
}

/** The file of its types. */
export const sdkTypes = (folder: string): string =>
  join(folder, 'node_modules/@vapi-ai/server-sdk/dist/cjs/Client.d.ts')

const requestOf = (name: string, { path, query, body }: Given): object | undefined => {
  if (WITH_BODY.includes(name)) return { ...path, body }
  return path || query || body ? { ...path, ...query, ...body } : undefined
}

type SdkClass = new (options: { token: string; baseUrl: string; maxRetries: number }) => object
type ErrorClass = new (options: object) => Error
const isClass = (value: unknown): boolean => typeof value === 'function'
