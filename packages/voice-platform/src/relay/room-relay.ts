import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '@heyline/kit/clock'
import type { Place } from '@heyline/kit/fair-line'
import type { Logger } from 'pino'
import type { LostProcesses } from './lost-processes.js'
import { HOW_TO_REACH, type Neighbours } from './neighbours.js'
import type { Holder } from './reach-process.js'
import type { Relay } from './relay.js'
import { RelayError } from './relay-error.js'
import { joinStreams } from './relayed-stream.js'

/** Most clients at once whose rooms other processes hold. */
const MOST_CLIENTS = 2_000

/** The header in which a process says where the client is that it passes on. */
const PLACE_HEADER = 'x-heyline-place'

/** A WebSocket begins with the first two; Twilio's streams have the third. */
const PASSED_ON = ['sec-websocket-key', 'sec-websocket-protocol', 'x-twilio-signature'] as const

/** A client's request for a WebSocket, as it is passed on. */
export interface ClientUpgrade {
  /** Where it came, from the first slash on: path and query. */
  target: string
  /** What it says of itself. Of these headers `PASSED_ON` are passed on. */
  headers: IncomingHttpHeaders
  from: Place
}

/** Joins a client's stream, and what was read of it already, with the process that holds its room. */
export type PassOn = (client: Duplex, head: Buffer) => void

export interface RoomRelayOptions {
  relay: Relay
  neighbours: Pick<Neighbours, 'has'>
  lost: LostProcesses
  clock: Clock
  logger: Logger
}

/** Passes clients on to the processes that hold their rooms. */
export class RoomRelay {
  readonly #options: RoomRelayOptions
  readonly #told = new Set<string>()
  #clients = 0

  constructor(options: RoomRelayOptions) {
    this.#options = options
  }

  /**
   * The way to the holder of a client's room. Undefined where there is none: the client is answered here. By then the holder's calls have
   * ended if it is gone. Never rejects.
   */
  async to(holder: Holder, upgrade: ClientUpgrade): Promise<PassOn | undefined> {
    const { relay, neighbours, lost, clock } = this.#options
    if (this.#clients >= MOST_CLIENTS) return undefined
    this.#clients += 1
    const leave = () => {
      this.#clients -= 1
    }
    try {
      const socket = await relay.reach(holder)
      socket.once('close', leave)
      return (client, head) => {
        socket.write(requestOf(upgrade))
        if (head.length > 0) socket.write(head)
        joinStreams(client, socket, clock)
      }
    } catch (error) {
      leave()
      const isRefused = isRefusal(error)
      const again = () => relay.reach(holder).then(hangUp, isRefusal)
      const isGone = isRefused && neighbours.has(holder.process) && (await lost.isGone(holder.process, again))
      if (!isGone) this.#tell(holder, error)
      return undefined
    }
  }

  /** Once about each process. */
  #tell({ process, address }: Holder, error: unknown): void {
    if (this.#told.has(process)) return
    if (this.#told.size > 1_000) this.#told.clear()
    this.#told.add(process)
    this.#options.logger.warn(
      { err: error, address },
      `another server of this installation holds a call and was not reached, so its caller has to try again: ${HOW_TO_REACH}`,
    )
  }
}

/** Where a client is that another process has passed on. */
export function placeOfRelayed(headers: IncomingHttpHeaders): Place | undefined {
  const [address, network] = new URLSearchParams(String(headers[PLACE_HEADER] ?? '')).getAll('p')
  return address === undefined || network === undefined ? undefined : { address, network }
}

function requestOf({ target, headers, from }: ClientUpgrade): string {
  const place = new URLSearchParams([
    ['p', from.address],
    ['p', from.network],
  ])
  const lines = [
    `GET ${target} HTTP/1.1`,
    'host: relay',
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    ...PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`])),
    `${PLACE_HEADER}: ${place}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

const isRefusal = (error: unknown): boolean => error instanceof RelayError && error.failure === 'refused'

/** Somebody listens there after all. */
function hangUp(socket: { destroy(): unknown }): boolean {
  socket.destroy()
  return false
}
