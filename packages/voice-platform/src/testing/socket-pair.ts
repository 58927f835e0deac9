import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

export interface SocketPair {
  /** The end that the platform holds. */
  server: WebSocket
  client: WebSocket
  close(): Promise<void>
}

/** Two ends of a real WebSocket over the loopback interface, with the subprotocols that the client asks for. */
export async function socketPair(...protocols: string[]): Promise<SocketPair> {
  const listening = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const client = new WebSocket(`ws://127.0.0.1:${port}`, protocols)
  const accepted = new Promise<WebSocket>((resolve) => {
    listening.once('connection', resolve)
  })
  const [server] = await Promise.all([accepted, once(client, 'open')])
  return {
    server,
    client,
    async close() {
      client.terminate()
      await new Promise((resolve) => listening.close(resolve))
    },
  }
}
