import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { StartedServer } from './started-server.js'

const PATIENCE_MS = 10_000

/** A web call of a server, and its client on a WebSocket: the plain transport, or the subprotocol that is asked for. */
export class WireCall {
  readonly id: string
  readonly socket: WebSocket
  /** The bytes below the WebSocket. */
  readonly stream: Duplex
  /** Text frames, parsed. */
  readonly texts: { type?: string }[] = []
  /** Bytes of audio that came. */
  audioBytes = 0
  readonly closed: Promise<{ code: number; reason: string }>

  private constructor(id: string, socket: WebSocket, stream: Duplex) {
    this.id = id
    this.socket = socket
    this.stream = stream
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.audioBytes += data.length
      else this.texts.push(JSON.parse(data.toString()))
    })
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
    })
  }

  /** Creates a call with an assistant, and joins it. */
  static join(
    server: Pick<StartedServer, 'url' | 'platformKey'>,
    assistant: object = { firstMessage: 'Hello.' },
    protocols: string[] = [],
  ): Promise<WireCall> {
    return WireCall.joinAs(server, { assistant }, { protocols })
  }

  /** Creates a call with this body, and joins it; with `forwardedFor` as a client at that address, behind a proxy. */
  static async joinAs(
    server: Pick<StartedServer, 'url' | 'platformKey'>,
    body: object,
    { protocols = [], forwardedFor }: { protocols?: string[]; forwardedFor?: string } = {},
  ): Promise<WireCall> {
    const headers: Record<string, string> =
      forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    const answer = await fetch(`${server.url}/-/platform/call/web`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.platformKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`POST /call/web answered ${answer.status}: ${await answer.text()}`)
    const { id, webCallUrl }: { id: string; webCallUrl: string } = await answer.json()
    const socket = new WebSocket(webCallUrl, protocols, { perMessageDeflate: false, headers })
    socket.on('error', () => undefined)
    const upgraded = once(socket, 'upgrade')
    const joined = new Promise<WireCall>((resolve, reject) => {
      socket.once('close', () => reject(new Error('The call could not be joined.')))
      void upgraded.then(([response]) => resolve(new WireCall(id, socket, response.socket)), reject)
    })
    return await joined
  }

  /** Resolves once this is so, looked at with every frame that comes. */
  until(what: string, isSo: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (failure?: Error) => {
        clearTimeout(timer)
        this.socket.off('message', look)
        if (failure) reject(failure)
        else resolve()
      }
      const timer = setTimeout(() => done(new Error(`Not so in ${PATIENCE_MS} ms: ${what}`)), PATIENCE_MS)
      const look = () => {
        if (isSo()) done()
      }
      this.socket.on('message', look)
      look()
    })
  }

  /** The assistant says something when it is told to, so many bytes of audio at least. */
  async speaks(bytes = 10_000): Promise<void> {
    const before = this.audioBytes
    this.socket.send('{"type":"say","message":"I am still here."}')
    await this.until('the assistant speaks', () => this.audioBytes > before + bytes)
  }
}
