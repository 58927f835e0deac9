import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PlatformClient } from '@heyline/platform-client'
import { Api } from '@vapi-ai/web/dist/api.js'
import type { Installed } from '../installed-for-a-run.js'

/** The same three calls by every client; each resolves with what the platform sent. */
export interface Client {
  name: string
  get(id: string): Promise<unknown>
  create(body: object): Promise<unknown>
  list(limit: number): Promise<unknown>
}

const TOKEN = 'token-of-the-bench'

export function ours(baseUrl: string): Client {
  const { assistants } = new PlatformClient({ token: TOKEN, baseUrl })
  return {
    name: 'ours',
    get: (id) => assistants.get(id),
    create: (body) => assistants.create(body),
    list: (limit) => assistants.list({ limit }),
  }
}

/** With the settings that its own package gives it. */
export function web(baseUrl: string): Client {
  const api = new Api<string>({
    baseUrl,
    baseApiParams: { secure: true },
    securityWorker: async (token) => (token ? { headers: { Authorization: `Bearer ${token}` } } : {}),
  })
  api.setSecurityData(TOKEN)
  const { assistant } = api
  return {
    name: '@vapi-ai/web',
    get: async (id) => (await assistant.assistantControllerFindOne(id)).data,
    create: async (body) => (await assistant.assistantControllerCreate(body)).data,
    list: async (limit) => (await assistant.assistantControllerFindAll({ limit })).data,
  }
}

/** The part of the package's types that is used here. */
interface ServerSdkModule {
  VapiClient: new (options: {
    token: string
    baseUrl: string
  }) => {
    assistants: {
      get(request: { id: string }): Promise<unknown>
      create(request: object): Promise<unknown>
      list(request: { limit: number }): Promise<unknown>
    }
  }
}

export function serverSdk(baseUrl: string, { folder }: Installed): Client {
  const { VapiClient }: ServerSdkModule = createRequire(join(folder, 'bench.js'))('@vapi-ai/server-sdk')
  const { assistants } = new VapiClient({ token: TOKEN, baseUrl })
  return {
    name: '@vapi-ai/server-sdk',
    get: (id) => assistants.get({ id }),
    create: (body) => assistants.create(body),
    list: (limit) => assistants.list({ limit }),
  }
}
