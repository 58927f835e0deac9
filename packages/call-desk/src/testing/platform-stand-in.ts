import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call as the stand-in keeps it. */
export interface StandInCall {
  id: string
  name?: string
  status: string
  /** ISO 8601. */
  createdAt?: string
  endedReason?: string
  startedAt?: string
  endedAt?: string
  monitor?: { controlUrl: string }
  [field: string]: unknown
}

/** How POST /call is answered. The default places the call. */
export type PlaceAnswer = (place: () => StandInCall, response: ServerResponse, count: number) => void

/** The voice platform's POST /call and GET /call/{id} on a real server, with a count of what it was asked to dial. */
export interface PlatformStandIn extends AsyncDisposable {
  readonly url: string
  /** Bodies of every POST /call, in order. */
  readonly dialled: { customer: { number: string }; name: string; [field: string]: unknown }[]
  /** Bodies of every POST /call/web, in order. */
  readonly minted: { assistantId: string; assistantOverrides: object; [field: string]: unknown }[]
  /** How POST /call/web is answered. The default makes the call. */
  answerWeb: PlaceAnswer
  readonly calls: Map<string, StandInCall>
  /** Times that GET /call/{id} was asked. */
  asked: number
  answer: PlaceAnswer
  /** What GET /assistant/{id} answers; 404 where there is none. */
  assistant: { firstMessage?: string } | undefined
  /** Commands to running calls, in order. */
  readonly commands: { callId: string; body: unknown; at: number }[]
  /** How POST /call/{id}/control is answered: this status. 200 ends the call. */
  control: number
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** The newest first, as many as are asked for, of the time that is asked for. */
function listCalls(calls: readonly StandInCall[], path: string): StandInCall[] {
  const query = new URL(path, 'http://localhost').searchParams
  const [from, to, limit] = [query.get('createdAtGe'), query.get('createdAtLe'), query.get('limit')]
  return calls
    .filter(({ createdAt = '' }) => createdAt >= (from ?? '') && createdAt <= (to ?? '~'))
    .toSorted((one, other) => (other.createdAt ?? '').localeCompare(one.createdAt ?? ''))
    .slice(0, Number(limit ?? 100))
}

const placeAtOnce: PlaceAnswer = (place, response) => json(response, 201, place())

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

export async function startPlatformStandIn(): Promise<PlatformStandIn> {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (request.headers.authorization !== 'Bearer private-key')
      return json(response, 401, { message: 'Invalid Key.' })
    if (request.method === 'POST' && request.url === '/call') {
      const asked = JSON.parse(body)
      const place = () => {
        const id = `call-${standIn.calls.size + 1}`
        const monitor = { controlUrl: `${standIn.url}/call/${id}/control` }
        const createdAt = new Date().toISOString()
        const call = { id, name: asked.name, status: 'queued', createdAt, monitor }
        standIn.calls.set(call.id, call)
        return call
      }
      return standIn.answer(place, response, standIn.dialled.push(asked))
    }
    if (request.method === 'POST' && request.url === '/call/web') {
      const asked = JSON.parse(body)
      const make = () => {
        const id = `web-${standIn.calls.size + 1}`
        const call = {
          id,
          orgId: 'org-1',
          type: 'webCall',
          status: 'queued',
          createdAt: new Date().toISOString(),
          ...asked,
          assistant: { voice: { provider: 'vapi' }, model: asked.assistantOverrides?.model },
          webCallUrl: `wss://rooms.example/${id}`,
          monitor: { controlUrl: `${standIn.url}/call/${id}/control`, listenUrl: 'wss://listen.example' },
        }
        standIn.calls.set(id, call)
        return call
      }
      return standIn.answerWeb(make, response, standIn.minted.push(asked))
    }
    const [, family, callId = '', sub] = request.url?.split('/') ?? []
    if (family === 'assistant')
      return json(response, standIn.assistant ? 200 : 404, standIn.assistant ?? { message: 'Not Found' })
    if (request.method === 'POST' && family === 'call' && sub === 'control') {
      standIn.commands.push({ callId, body: JSON.parse(body), at: performance.now() })
      const steered = standIn.calls.get(callId)
      if (standIn.control === 200 && steered) steered.status = 'ended'
      return json(response, standIn.control, {})
    }
    if (request.method === 'GET' && request.url?.startsWith('/call?'))
      return json(response, 200, listCalls([...standIn.calls.values()], request.url))
    standIn.asked++
    const call = standIn.calls.get(request.url?.replace('/call/', '') ?? '')
    return call ? json(response, 200, call) : json(response, 404, { message: 'Not Found' })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const standIn: PlatformStandIn = {
    url: `http://127.0.0.1:${port}`,
    dialled: [],
    minted: [],
    answerWeb: placeAtOnce,
    calls: new Map(),
    asked: 0,
    answer: placeAtOnce,
    assistant: undefined,
    commands: [],
    control: 200,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return standIn
}
