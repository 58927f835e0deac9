import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

/** What is asked of the stand-in. */
export interface AskedOfPlatform {
  method: string
  path: string
  body: Record<string, unknown>
}

/** The hosted platform's routes for credentials and assistants on a real server, with what was asked of it. */
export interface HostedPlatformStandIn extends AsyncDisposable {
  readonly url: string
  /** Everything but reads, in order. */
  readonly changes: AskedOfPlatform[]
  readonly credentials: Map<string, Record<string, unknown>>
  readonly assistants: Map<string, Record<string, unknown>>
  /** What the key may not do: `credential`, `assistant`. */
  readonly forbidden: Set<string>
}

export const PRIVATE_KEY = 'private-key-of-the-platform'

/** A stored credential as it is given back: without its secrets. */
function shown({ authenticationPlan, ...credential }: Record<string, unknown>) {
  const { secretKey: _, ...plan } = Object(authenticationPlan)
  return { ...credential, authenticationPlan: plan }
}

export async function startHostedPlatform(): Promise<HostedPlatformStandIn> {
  const credentials = new Map<string, Record<string, unknown>>()
  const assistants = new Map<string, Record<string, unknown>>([['assistant-1', { id: 'assistant-1' }]])
  const changes: AskedOfPlatform[] = []
  const forbidden = new Set<string>()

  function answer({ method, path, body }: AskedOfPlatform): [number, unknown] {
    if (method !== 'GET') changes.push({ method, path, body })
    const [, kind = '', id] = path.split('/')
    const stored = { credential: credentials, assistant: assistants }[kind]
    if (!stored) return [404, { message: 'Not Found' }]
    if (forbidden.has(kind)) return [403, { message: 'Forbidden', error: 'Forbidden', statusCode: 403 }]
    const give = kind === 'credential' ? shown : (row: Record<string, unknown>) => row
    if (id === undefined) {
      if (method === 'GET') return [200, [...stored.values()].map(give)]
      if (method !== 'POST') return [404, { message: 'Not Found' }]
      const row = { ...body, id: `${kind}-${stored.size + 1}` }
      stored.set(row.id, row)
      return [201, give(row)]
    }
    const row = stored.get(id)
    if (!row) return [404, { message: `There is no ${kind} ${id}`, error: 'Not Found', statusCode: 404 }]
    // A field that is given replaces the stored one as a whole.
    if (method === 'PATCH') Object.assign(row, body)
    return [200, give(row)]
  }

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const isOurs = request.headers.authorization === `Bearer ${PRIVATE_KEY}`
    const path = (request.url ?? '').replace(/\?.*/, '')
    const [status, said] = isOurs
      ? answer({ method: request.method ?? '', path, body })
      : [401, { message: 'Invalid Key.', error: 'Unauthorized', statusCode: 401 }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${Object(server.address()).port}`,
    changes,
    credentials,
    assistants,
    forbidden,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text === '' ? {} : JSON.parse(text)
}
