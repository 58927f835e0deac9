import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect } from 'vitest'
import { type Edge, type EdgeOptions, openEdge } from '../edge/edge.js'
import { type Listening, listen, type RequestHandler } from '../http/listening.js'
import { acceptUpgrades, type Upgrades } from '../http/upgrade.js'

/** A line of the edge's log. */
interface LogLine {
  kind: string
  reason?: string
  leftOut?: number
}

/** Origins whose pages may open no WebSocket: a stranger's, and one of the server's own name. */
const REFUSED = ['https://evil.example', 'http://demo.example']

/** For `expect.poll`. */
export const PATIENCE = { timeout: 10_000 }

/** Resolves when a connection is over, however it ended. */
export const ended = (client: Socket) => new Promise((resolve) => client.once('close', resolve))

export const chunkedPost = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n`
export const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`
export const LAST_CHUNK = '0\r\n\r\n'

/** A server behind an edge, opened by each test anew, and clients of it on this machine. */
export class EdgeBench {
  readonly #opened: { listening: Listening; edge: Edge; upgrades: Upgrades }[] = []
  lines: LogLine[] = []
  readonly clients: Socket[] = []

  get listening(): Listening {
    return this.#newest.listening
  }

  get edge(): Edge {
    return this.#newest.edge
  }

  get #newest() {
    return this.#opened.at(-1) ?? expect.unreachable('nothing is open')
  }

  /** The edge counts every address, also that of this machine. */
  readonly open = async (handler: RequestHandler, options: Partial<EdgeOptions> = {}): Promise<void> => {
    this.lines = []
    const write = (line: string) => void this.lines.push(JSON.parse(line))
    const logger = pino({ base: undefined }, { write })
    const listening = await listen(0, '127.0.0.1')
    const edge = openEdge({
      server: listening.server,
      host: '127.0.0.1',
      publicUrl: 'https://demo.example',
      trustProxy: undefined,
      logger,
      isExempt: () => false,
      ...options,
    })
    const upgrades = acceptUpgrades(listening.server, logger, edge)
    upgrades.serve([
      {
        path: /^\/-\/rooms\/x$/,
        protocols: [],
        plain: true,
        refuse: ({ headers: { origin } }) => (origin && REFUSED.includes(origin) ? 403 : undefined),
        accept: (socket) => socket.send('welcome'),
      },
    ])
    listening.serve(edge.guarded(handler))
    this.#opened.push({ listening, edge, upgrades })
  }

  async close(): Promise<void> {
    for (const client of this.clients.splice(0)) client.destroy()
    for (const { listening, edge, upgrades } of this.#opened.splice(0)) {
      await upgrades.close()
      edge.close()
      await listening.close()
    }
  }

  readonly connected = async (): Promise<Socket> => {
    const client = connect(this.listening.port, '127.0.0.1')
    client.on('error', () => undefined)
    this.clients.push(client)
    await once(client, 'connect')
    return client
  }

  readonly ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): ClientRequest => {
    const request = httpRequest({
      port: this.listening.port,
      host: '127.0.0.1',
      path,
      method,
      headers,
      agent: false,
    })
    request.on('error', () => undefined)
    request.end()
    return request
  }

  readonly answered = async (request: ClientRequest): Promise<IncomingMessage> => {
    const [answer]: IncomingMessage[] = await once(request, 'response')
    return answer?.resume() ?? expect.unreachable()
  }

  readonly statusOf = async (path: string, headers?: Record<string, string>): Promise<number | undefined> =>
    (await this.answered(this.ask(path, headers))).statusCode

  /** Sends a request ten times ahead on one connection, and again for each answer `served.`, until so many have come. */
  readonly servedAhead = async (request: string, many: number): Promise<Socket> => {
    const client = await this.connected()
    let served = 0
    client.on('data', (answers: Buffer) => {
      const count = answers.toString().split('served.').length - 1
      served += count
      client.write(request.repeat(count))
    })
    client.write(request.repeat(10))
    await expect.poll(() => served, PATIENCE).toBeGreaterThan(many)
    return client
  }

  readonly openConnections = () =>
    new Promise<number>((resolve) => this.listening.server.getConnections((_, count) => resolve(count)))
}

/** A bench for the tests of a file, which closes after each of them. */
export function edgeBench(): EdgeBench {
  const bench = new EdgeBench()
  afterEach(() => bench.close())
  return bench
}
