import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { deepgramListens, elevenLabsListens, openAiListens } from './streaming-listeners.js'
import type { Serve, StreamingConnection, StreamingScript } from './streaming-script.js'
import { deepgramSpeaks, elevenLabsSpeaks } from './streaming-speakers.js'

export interface StreamingStandIn {
  /** `ws://…`, without a path. */
  url: string
  script: StreamingScript
  connections: StreamingConnection[]
  close(): Promise<void>
}

const ROUTES: readonly (readonly [path: RegExp, serve: Serve])[] = [
  [/^\/v1\/listen$/, deepgramListens],
  [/^\/v1\/speak$/, deepgramSpeaks],
  [/^\/v1\/realtime$/, openAiListens],
  [/^\/v1\/speech-to-text\/realtime$/, elevenLabsListens],
  [/^\/v1\/text-to-speech\/[^/]+\/multi-stream-input$/, elevenLabsSpeaks],
]

/** A server for tests and benchmarks, on the loopback interface, that speaks the documented sockets of hosted engines. */
export async function startStreamingStandIn(
  script: Partial<StreamingScript> = {},
): Promise<StreamingStandIn> {
  const answers: StreamingScript = {
    ...{ transcript: 'What does it cost?', finalMs: 0, voiceMs: 0, fault: undefined },
    ...script,
  }
  const connections: StreamingConnection[] = []
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, stream, head) => {
    const url = new URL(request.url ?? '/', 'ws://127.0.0.1')
    const serve = ROUTES.find(([path]) => path.test(url.pathname))?.[1]
    if (!serve || answers.fault === 'refuse') {
      stream.end(`HTTP/1.1 ${serve ? '401 Unauthorized' : '404 Not Found'}\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const connection: StreamingConnection = {
        ...{ url, headers: request.headers, messages: [], audioBytes: 0, isClosed: false },
      }
      connections.push(connection)
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary) connection.audioBytes += data.length
        else connection.messages.push(JSON.parse(data.toString()))
        if (answers.fault === 'cut') socket.close(1011)
        if (answers.fault === 'flood') for (let count = 0; count < 6_000; count += 1) socket.send('{}')
        if (answers.fault === 'garbage') for (let count = 0; count < 30; count += 1) socket.send('%§!')
      })
      socket.on('close', () => {
        connection.isClosed = true
      })
      const isMute = answers.fault && ['cut', 'flood', 'garbage', 'silent'].includes(answers.fault)
      if (!isMute) serve(socket, answers, connection)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}`,
    script: answers,
    connections,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
