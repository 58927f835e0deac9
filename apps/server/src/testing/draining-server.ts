import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { spawnHeyline } from './heyline-command.js'
import { listeningUrl } from './listening-url.js'
import { readServerKeys } from './server-keys.js'

/** A call as the platform shows it. */
export interface ShownCall {
  status: string
  endedReason?: string
  transcript?: string
}

const BYTES_PER_MS = 32

/** Somebody in a room, who hears what is played for as long as it takes. */
export class RoomGuest {
  /** Bytes of audio that came. */
  heard = 0
  readonly closed: Promise<unknown>
  readonly #socket: WebSocket
  readonly #waiting = new Set<() => void>()
  #resumeToken = ''
  #playedAt = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    this.closed = once(socket, 'close')
    socket.on('error', () => undefined)
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        this.heard += data.length
        for (const hear of this.#waiting) hear()
        this.#waiting.clear()
        this.#playedAt = Math.max(this.#playedAt, performance.now()) + data.length / BYTES_PER_MS
      } else this.#hear(JSON.parse(data.toString('utf8')))
    })
  }

  /** Resolves when the assistant listens. */
  static async join(url: string): Promise<RoomGuest> {
    const socket = new WebSocket(url, ['room.v1'])
    const guest = new RoomGuest(socket)
    await new Promise<void>((resolve, reject) => {
      void guest.closed.then(() => reject(new Error('The room was closed')))
      socket.on('message', (data: Buffer, isBinary) => {
        if (!isBinary && data.toString('utf8').includes('room.listening')) resolve()
      })
    })
    return guest
  }

  get isIn(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  /** The line breaks, and this person comes back over another connection, at this origin where it is given. */
  async comeBack(origin?: string): Promise<RoomGuest> {
    this.#socket.terminate()
    await this.closed
    return await RoomGuest.join(this.returnUrl(origin))
  }

  /** The address at which this person comes back. */
  returnUrl(origin?: string): string {
    const url = new URL(this.#socket.url)
    if (origin) url.host = new URL(origin).host
    url.searchParams.delete('secret')
    url.searchParams.set('resume', this.#resumeToken)
    return url.href
  }

  /** The line breaks. */
  drop(): void {
    this.#socket.terminate()
  }

  /** The person says something. */
  type(content: string): void {
    this.#socket.send(JSON.stringify({ type: 'add-message', message: { role: 'user', content } }))
  }

  /** Says this in writing. Resolves when something is heard. */
  async say(content: string): Promise<void> {
    const heard = new Promise<void>((resolve) => this.#waiting.add(resolve))
    this.#socket.send(JSON.stringify({ type: 'add-message', message: { role: 'user', content } }))
    const isCut = await Promise.race([heard, this.closed.then(() => true)])
    if (isCut) throw new Error('The room was closed before the assistant answered.')
  }

  async leave(): Promise<void> {
    this.#socket.send('{"type":"room.leave"}')
    await this.closed
  }

  #hear(message: { type: string; id?: number; resumeToken?: string }): void {
    const { id } = message
    if (message.type === 'room.joined') this.#resumeToken = message.resumeToken ?? ''
    else if (message.type === 'room.mark')
      setTimeout(
        () => this.#socket.send(JSON.stringify({ type: 'room.played', id })),
        Math.max(0, this.#playedAt - performance.now()),
      )
    else if (message.type === 'room.clear') {
      this.#playedAt = 0
      this.#socket.send(JSON.stringify({ type: 'room.cleared', id, playedMs: 0 }))
    }
  }
}

/** A server's process that is to stop while it holds calls. */
export class DrainingServer {
  /** The public one. */
  url = ''
  readonly dataDirectory: string
  /** What it has said so far: its log, and what it printed. */
  said = ''
  /** The code that it ended with, or the signal. */
  readonly ended: Promise<number | string>
  readonly #child: ReturnType<typeof spawnHeyline>

  private constructor(child: ReturnType<typeof spawnHeyline>, dataDirectory: string) {
    this.#child = child
    this.dataDirectory = dataDirectory
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: string) => {
        this.said += text
      })
    this.ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  }

  /** With the keys of another server, where it is given. */
  static async start(
    dataDirectory: string,
    environment: Record<string, string>,
    other?: DrainingServer,
  ): Promise<DrainingServer> {
    mkdirSync(dataDirectory, { recursive: true })
    if (other) copyFileSync(join(other.dataDirectory, 'keys.json'), join(dataDirectory, 'keys.json'))
    const child = spawnHeyline(['start'], { PORT: '0', DATA_DIR: dataDirectory, ...environment })
    const server = new DrainingServer(child, dataDirectory)
    server.url = await listeningUrl(child)
    return server
  }

  /** Where it listens itself, past any balancer. */
  get ownUrl(): string {
    return JSON.parse(readFileSync(join(this.dataDirectory, 'server.json'), 'utf8')).url
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** The platform's API, with the private key. */
  async platform(path: string, body?: object): Promise<Response> {
    return await fetch(`${this.url}/-/platform${path}`, {
      headers: {
        authorization: `Bearer ${readServerKeys(this.dataDirectory).platformPrivate}`,
        'content-type': 'application/json',
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  }

  async call(id: string): Promise<ShownCall> {
    return await (await this.platform(`/call/${id}`)).json()
  }

  /** A function of the page's, as a page asks it. */
  function(name: string, body: object): Promise<Response> {
    return fetch(`${this.url}/-/backend/functions/v1/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  /** The operator API, with the secret key. */
  office(path: string, signal?: AbortSignal): Promise<Response> {
    const headers = { authorization: `Bearer ${readServerKeys(this.dataDirectory).secret}` }
    return fetch(`${this.url}/-/office${path}`, { headers, ...(signal && { signal }) })
  }

  /** A call in a browser, with somebody in it: at this process, or wherever the public address leads. */
  async talk(at?: 'here'): Promise<{ id: string; guest: RoomGuest }> {
    const { id, webCallUrl } = await (
      await this.platform('/call/web', { assistant: { firstMessage: '', silenceTimeoutSeconds: 600 } })
    ).json()
    const { port } = new URL(this.ownUrl)
    const url = new URL(webCallUrl)
    if (at === 'here') url.port = port
    return { id, guest: await RoomGuest.join(url.href) }
  }
}

/** A pocket phone that answers every call; who answers it is in the room then. */
export async function answeringPhone(
  server: Pick<DrainingServer, 'url'>,
): Promise<{ calls: { id: string; guest: Promise<RoomGuest> }[]; close(): void }> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/-/carriers/simulated/phones`, [
    'phone.v1',
  ])
  socket.on('error', () => undefined)
  const calls: { id: string; guest: Promise<RoomGuest> }[] = []
  socket.on('message', (data: Buffer) => {
    const { type, callId, roomUrl } = JSON.parse(data.toString('utf8'))
    if (type === 'ring') socket.send(JSON.stringify({ type: 'answer', callId }))
    if (type !== 'answered') return
    const guest = RoomGuest.join(roomUrl)
    // Of a server that is killed meanwhile nobody may ask.
    guest.catch(() => undefined)
    calls.push({ id: callId, guest })
  })
  await once(socket, 'open')
  return { calls, close: () => socket.terminate() }
}
