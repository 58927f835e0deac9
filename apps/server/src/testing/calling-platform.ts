import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** A call as the platform tells of it. */
export interface PlatformCall {
  id: string
  name: string
  number: string
  createdAt: string
  status: 'queued' | 'ringing' | 'in-progress' | 'ended'
  startedAt?: string
  endedAt?: string
  endedReason?: string
  cost?: number
}

/**
 * How a request to place a call goes: `prompt`, `slow` (placed at once, answered late), `cut` (placed, and the connection ends),
 * `dropped` (not placed, and the connection ends) or `busy` (refused for now).
 */
export type Temper = 'prompt' | 'slow' | 'cut' | 'dropped' | 'busy'

export interface CallingPlatformOptions {
  /** What the private key must be. */
  privateKey: string
  /** Of the request with this name, the so manieth. */
  temper?(name: string, time: number): Temper
  /** A call was placed, at this time of `performance.now()`. */
  placed?(call: PlatformCall, at: number): void
}

const SLOW_MS = 700

/** The hosted voice platform's calls, on a real server in this process. It counts what it dials. */
export class CallingPlatform {
  /** By id. */
  readonly calls = new Map<string, PlatformCall>()
  readonly url: string
  readonly #server: ReturnType<typeof createServer>
  readonly #options: CallingPlatformOptions
  readonly #asked = new Map<string, number>()

  private constructor(server: ReturnType<typeof createServer>, options: CallingPlatformOptions) {
    this.#server = server
    this.#options = options
    this.url = `http://127.0.0.1:${Object(server.address()).port}`
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  static async start(options: CallingPlatformOptions): Promise<CallingPlatform> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new CallingPlatform(server, options)
  }

  /** What a server needs to know of it, and of what it would be called by. */
  settings(): Record<string, string> {
    return {
      PLATFORM_URL: this.url,
      PLATFORM_PUBLIC_KEY: 'public-key-of-the-stand-in',
      PLATFORM_PRIVATE_KEY: this.#options.privateKey,
      PLATFORM_ASSISTANT_ID: '11111111-2222-4333-8444-555555555555',
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const say = (status: number, answer: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    if (request.headers.authorization !== `Bearer ${this.#options.privateKey}`)
      return void say(401, { message: 'Invalid Key.' })
    const { pathname, searchParams } = new URL(request.url ?? '', this.url)
    if (request.method === 'POST' && pathname === '/call') return this.#place(JSON.parse(body), response, say)
    if (pathname === '/call') return void say(200, this.#list(searchParams))
    if (pathname.startsWith('/assistant/'))
      return void say(200, { id: pathname.slice(11), firstMessage: 'Hello.' })
    const call = this.calls.get(pathname.replace('/call/', ''))
    say(call ? 200 : 404, call ?? { message: 'Not Found' })
  }

  async #place(
    { name, customer }: { name: string; customer: { number: string } },
    response: ServerResponse,
    say: (status: number, answer: unknown) => void,
  ): Promise<void> {
    const time = (this.#asked.get(name) ?? 0) + 1
    this.#asked.set(name, time)
    const temper = this.#options.temper?.(name, time) ?? 'prompt'
    if (temper === 'busy') return say(429, { message: 'Too Many Requests' })
    if (temper === 'dropped') return void response.destroy()
    const call: PlatformCall = {
      id: crypto.randomUUID(),
      name,
      number: customer.number,
      createdAt: new Date().toISOString(),
      status: 'queued',
    }
    this.calls.set(call.id, call)
    this.#options.placed?.(call, performance.now())
    if (temper === 'cut') return void response.destroy()
    const answer = { ...call }
    if (temper === 'slow') await delay(SLOW_MS)
    say(201, answer)
  }

  /** The newest first, as the hosted platform does. */
  #list(query: URLSearchParams): PlatformCall[] {
    const from = query.get('createdAtGe') ?? query.get('createdAtGt') ?? ''
    const to = query.get('createdAtLe') ?? query.get('createdAtLt') ?? '9'
    return [...this.calls.values()]
      .filter(({ createdAt }) => createdAt >= from && createdAt <= to)
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
      .slice(0, Number(query.get('limit') ?? 100))
  }
}
