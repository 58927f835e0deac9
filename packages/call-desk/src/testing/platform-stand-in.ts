import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call as the stand-in keeps it. */
export interface StandInCall {
  id: string
  name?: string
  status: string
  endedReason?: string
  startedAt?: string
  endedAt?: string
}

/** How POST /call is answered. The default places the call. */
export type PlaceAnswer = (place: () => StandInCall, response: ServerResponse, count: number) => void

/** The voice platform's POST /call and GET /call/{id} on a real server, with a count of what it was asked to dial. */
export interface PlatformStandIn extends AsyncDisposable {
  readonly url: string
  /** Bodies of every POST /call, in order. */
  readonly dialled: { customer: { number: string }; name: string; [field: string]: unknown }[]
  readonly calls: Map<string, StandInCall>
  /** Times that GET /call/{id} was asked. */
  asked: number
  answer: PlaceAnswer
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
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
        const call = { id: `call-${standIn.calls.size + 1}`, name: asked.name, status: 'queued' }
        standIn.calls.set(call.id, call)
        return call
      }
      return standIn.answer(place, response, standIn.dialled.push(asked))
    }
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
    calls: new Map(),
    asked: 0,
    answer: placeAtOnce,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return standIn
}
