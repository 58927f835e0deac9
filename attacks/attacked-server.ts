import { WebSocket } from 'ws'
import type { Keys } from '../e2e/running-heyline.js'
import { type Asked, ask } from './ask.js'

/** What is known of a server. Its pages tell the public keys; the others are an operator's. */
export interface Known {
  /** Its address on this machine. */
  url: string
  keys: Keys
  assistantId: string
}

/** A server as whoever attacks it reaches it, from any address and from any process. */
export class AttackedServer implements Known {
  readonly url: string
  readonly keys: Keys
  readonly assistantId: string

  constructor({ url, keys, assistantId }: Known) {
    this.url = url
    this.keys = keys
    this.assistantId = assistantId
  }

  /** A request of somebody at this address. */
  ask(from: string, path: string, asked?: Asked): Promise<Response> {
    return ask(this.url, from, path, asked)
  }

  /** The same: its status, once its whole answer is there; 0 where the connection was cut. */
  async status(...asked: Parameters<AttackedServer['ask']>): Promise<number> {
    try {
      const answer = await this.ask(...asked)
      await answer.arrayBuffer()
      return answer.status
    } catch {
      return 0
    }
  }

  /** Asks for a browser call as the page does; resolves with the room's address on this machine, or undefined where it is refused. */
  async openRoom(
    from: string,
    body: object = { assistantId: this.assistantId },
  ): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${this.keys.platformPublic}` }
    const answer = await this.ask(from, '/-/platform/call/web', { body, headers })
    return this.roomIn(await answer.text())
  }

  /** The room of an answered call, by its address on this machine. */
  roomIn(call: string): string | undefined {
    const { webCallUrl }: { webCallUrl?: string } = JSON.parse(call)
    return webCallUrl?.replace(/^wss?:\/\/[^/]+/, this.url.replace('http', 'ws'))
  }

  /** Somebody at this address joins a room; `heard` is told when somebody speaks. */
  async join(from: string, room: string, heard: () => void = () => {}): Promise<WebSocket> {
    const socket = socketFrom(from, room)
    socket.on('message', (data: Buffer, isBinary) => isBinary && isSpeech(data) && heard())
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve())
      socket.once('error', reject)
    })
    socket.on('error', () => undefined)
    return socket
  }
}

/** A WebSocket of somebody at this address, on its way. */
export const socketFrom = (from: string, url: string, protocols: string[] = []): WebSocket =>
  new WebSocket(url, protocols, { perMessageDeflate: false, headers: { 'x-forwarded-for': from } })

/** Whether any of these samples (PCM16) is louder than the noise of a quiet room. */
function isSpeech(audio: Buffer): boolean {
  for (let at = 0; at + 1 < audio.length; at += 2) if (Math.abs(audio.readInt16LE(at)) > 500) return true
  return false
}
