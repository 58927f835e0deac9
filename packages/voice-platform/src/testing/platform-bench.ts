import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { ManualClock } from '@heyline/kit/manual-clock'
import { PlatformClient } from '@heyline/platform-client'
import { ROOM_PROTOCOL } from '@heyline/room-protocol'
import { pino } from 'pino'
import { WebSocket, WebSocketServer } from 'ws'
import type { Carrier } from '../carriers/carrier.js'
import { createSimulatedCarrier } from '../carriers/simulated/simulated-carrier.js'
import type { VoicePlatformOptions } from '../platform-port.js'
import { placeOfRelayed } from '../relay/room-relay.js'
import { createVoicePlatform } from '../voice-platform.js'
import { ScriptedEngines } from './scripted-engines.js'

export const KEYS = { public: 'public-key-for-tests', private: 'private-key-for-tests' }

const logger = pino({ level: 'silent' })

/** A room or phone socket as a test sees it: every frame in order. */
export interface TestSocket {
  socket: WebSocket
  /** Text frames, parsed. */
  texts: Record<string, unknown>[]
  /** Bytes of audio that came. */
  audioBytes(): number
  closed: Promise<{ code: number; reason: string }>
}

/** A whole platform behind a real HTTP server: its REST API in process, its rooms and phones over sockets. */
export async function startPlatform(
  db: Db,
  options: Partial<VoicePlatformOptions> & { carrier?: Carrier; clock?: Clock } = {},
) {
  const clock = options.clock ?? systemClock
  const engines = options.engines ?? new ScriptedEngines()
  const simulated = createSimulatedCarrier({ db, logger, clock })
  const http = createServer()
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const publicUrl = `http://127.0.0.1:${port}`
  const platform = createVoicePlatform({
    ...{ db, publicUrl, keys: KEYS, engines, carrier: simulated, logger, clock },
    ...options,
  })
  const sockets = new WebSocketServer({ noServer: true })
  const passedOn = new Set<Duplex>()
  http.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', publicUrl)
    const callId = url.pathname.replace('/-/rooms/', '')
    // A test may say where a client is.
    const network = url.searchParams.get('network') ?? 'here'
    const from = { address: network, network }
    const take = () =>
      sockets.handleUpgrade(request, socket, head, (accepted) => {
        if (url.pathname === '/phones') simulated.acceptPhone(accepted)
        else platform.join(accepted, callId, url.searchParams, from)
      })
    const target = url.pathname + url.search
    const way = platform.elsewhere(callId, url.searchParams, { target, headers: request.headers, from })
    if (!way) return take()
    void way.then((passOn) => {
      if (!passOn) return take()
      passedOn.add(socket)
      passOn(socket, head)
    })
  })
  options.relay?.http.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', publicUrl)
    sockets.handleUpgrade(request, socket, head, (accepted) =>
      platform.join(
        accepted,
        pathname.replace('/-/rooms/', ''),
        searchParams,
        placeOfRelayed(request.headers),
      ),
    )
  })
  const open = (url: string, protocols: string[]): TestSocket => watch(new WebSocket(url, protocols))
  const request = (method: string, path: string, body?: unknown, key: string = KEYS.private) =>
    platform.fetch(
      new Request(`http://platform${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
  const inProcess: typeof fetch = (input, init) => platform.fetch(new Request(input, init))
  return {
    platform,
    engines,
    publicUrl,
    /** The real client of the API, over this platform. */
    client: new PlatformClient({ token: KEYS.private, baseUrl: 'http://platform', fetch: inProcess }),
    request,
    openRoom: (url: string, protocols = [ROOM_PROTOCOL]) => open(url, protocols),
    openPhone: async () => {
      const phone = open(`ws://127.0.0.1:${port}/phones`, ['phone.v1'])
      await once(phone.socket, 'open')
      return phone
    },
    async close() {
      const closed = platform.close().then(() => simulated.close())
      if (clock instanceof ManualClock) await letPass(clock, closed)
      await closed
      for (const client of sockets.clients) client.terminate()
      for (const stream of passedOn) stream.destroy()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** Time goes on until this is done: the end of a conversation waits a little for its client. */
async function letPass(clock: ManualClock, until: Promise<void>): Promise<void> {
  let done = false
  const stop = () => {
    done = true
  }
  until.then(stop, stop)
  while (!done) {
    clock.advance(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export type PlatformBench = Awaited<ReturnType<typeof startPlatform>>

function watch(socket: WebSocket): TestSocket {
  const texts: Record<string, unknown>[] = []
  let bytes = 0
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) bytes += data.length
    else texts.push(JSON.parse(data.toString('utf8')))
  })
  socket.on('error', () => undefined)
  return {
    socket,
    texts,
    audioBytes: () => bytes,
    closed: new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') }))
    }),
  }
}
