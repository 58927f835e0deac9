import type { AddressInfo } from 'node:net'
import {
  FATAL_ERRORS,
  type FatalErrorKind,
  ROOM_PROTOCOL,
  type RoomServerMessage,
  roomText,
  type WordsWish,
} from '@heyline/room-protocol'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Admission } from '../call-room.contract.js'

/** The platform's end of one room: a real WebSocket server that speaks `room.v1`, or the plain transport. */
export class RoomServer {
  readonly texts: string[] = []
  readonly audio: Buffer[] = []
  /** The query of everybody who came, in order. */
  readonly knocks: URLSearchParams[] = []
  readonly url: string
  /** What becomes of who comes next. Without one it takes the connection and keeps silent. */
  admission: Admission | undefined
  graceMs: number | undefined
  /** What who joins is asked for. */
  words: WordsWish | undefined
  closedWith: number | undefined
  /** How many connections have ended. */
  closes = 0
  readonly #server: WebSocketServer
  readonly #isPlain: boolean
  #socket: WebSocket | undefined

  constructor(server: WebSocketServer, admission: Admission | undefined, isPlain: boolean) {
    this.#server = server
    this.#isPlain = isPlain
    this.admission = admission
    const { port } = server.address() as AddressInfo
    const path = isPlain ? 'calls/1/transport' : '-/rooms/1?secret=x'
    this.url = `ws://127.0.0.1:${port}/${path}`
    server.on('connection', (socket, { url = '' }) => {
      this.knocks.push(new URL(url, 'ws://room').searchParams)
      this.#take(socket)
    })
  }

  static async open(admission?: Admission, { isPlain = false } = {}): Promise<RoomServer> {
    const handleProtocols = (protocols: Set<string>) =>
      !isPlain && protocols.has(ROOM_PROTOCOL) && ROOM_PROTOCOL
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols })
    await new Promise((resolve) => server.once('listening', resolve))
    return new RoomServer(server, admission, isPlain)
  }

  get protocol(): string | undefined {
    return this.#socket?.protocol
  }

  get messages(): unknown[] {
    return this.texts.map((text): unknown => JSON.parse(text))
  }

  tell(message: RoomServerMessage): void {
    this.send(roomText(message))
  }

  send(data: string | Uint8Array): void {
    this.#socket?.send(data)
  }

  fail(kind: FatalErrorKind, message: string): void {
    this.tell({ type: 'room.error', kind, message })
    this.close(FATAL_ERRORS[kind])
  }

  close(code?: number, reason = ''): void {
    this.#socket?.close(code, reason)
  }

  /** Cuts the connection without a word. */
  cut(): void {
    this.#socket?.terminate()
  }

  async stop(): Promise<void> {
    for (const client of this.#server.clients) client.terminate()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #take(socket: WebSocket): void {
    this.#socket = socket
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.audio.push(data as Buffer)
      else this.texts.push(String(data))
    })
    socket.on('close', (code) => {
      this.closedWith = code
      this.closes++
    })
    if (!this.admission || this.#isPlain) return
    if (!this.admission.admit) {
      this.fail(this.admission.kind, 'refused')
      return
    }
    const grace = this.graceMs === undefined ? {} : { graceMs: this.graceMs }
    const wish = this.words && { words: this.words }
    const resumeToken = `t${this.knocks.length}`
    this.tell({ type: 'room.joined', callId: 'c', participantId: 'p', resumeToken, ...grace, ...wish })
    if (this.admission.listensAtOnce) this.tell({ type: 'room.listening' })
  }
}
