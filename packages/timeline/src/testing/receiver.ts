import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What arrived. */
export interface Received {
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** Answers one message. */
export type Answer = (received: Received, response: ServerResponse) => void

/** A program that is told what happened: it keeps what arrives, and answers as a test wants. */
export async function openReceiver(answer: Answer = (_, response) => void response.writeHead(204).end()) {
  const received: Received[] = []
  const state = { answer }
  const listener: RequestListener = async (request, response) => {
    let body = ''
    try {
      for await (const piece of request.setEncoding('utf8')) body += piece
    } catch {
      return
    }
    const one = { url: request.url ?? '', headers: request.headers, body }
    received.push(one)
    state.answer(one, response)
  }
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    received,
    port,
    url: `http://127.0.0.1:${port}/hook`,
    /** From now on. */
    answers(next: Answer) {
      state.answer = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>
