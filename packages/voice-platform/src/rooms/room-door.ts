import { randomUUID } from 'node:crypto'
import { FATAL_ERRORS, type FatalErrorKind, ROOM_PROTOCOL, roomText } from '@heyline/room-protocol'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import type { CallRow } from '../calls/call-row.js'
import type { Clock } from '../clock.js'
import type { Link } from '../link.js'
import { hashOf, newSecret } from '../secret.js'
import { isUuid } from '../uuid.js'
import { closeReason } from './close-reason.js'
import { PacedLink } from './paced-link.js'
import { roomAddress } from './room-address.js'
import type { RoomState, SeatStore } from './seat-store.js'
import { SocketLink } from './socket-link.js'

/** How long the address of a phone call's room is good for, in milliseconds. */
const PHONE_JOIN_MS = 15_000

/** What a client is told that may not come in. */
const REFUSALS = {
  'no-room': 'There is no such room.',
  'end-of-life': 'This call has ended.',
  'exp-room': 'This room was not joined in time. Start a new call.',
  'meeting-full': 'Somebody is in this call already.',
  'not-allowed': 'This address does not open the room.',
  'connection-error': 'The room could not be opened. Try again.',
} as const satisfies Partial<Record<FatalErrorKind, string>>

type RefusalKind = keyof typeof REFUSALS

export interface RoomDoorOptions {
  seats: SeatStore
  publicUrl: string
  clock: Clock
  logger: Logger
  /** Somebody has come in. `gone` resolves when the link has ended. */
  joined(call: CallRow, link: Link, gone: Promise<void>): void
}

/** Lets one client into the room of each call: the one that brings the room's secret first and in time. */
export class RoomDoor {
  readonly #options: RoomDoorOptions

  constructor(options: RoomDoorOptions) {
    this.#options = options
  }

  /** A fresh address for a phone call that is not answered yet; null when there is no such call. */
  async address(callId: string): Promise<string | null> {
    const { seats, clock, publicUrl } = this.#options
    const secret = newSecret()
    const expiresAt = new Date(clock.now() + PHONE_JOIN_MS)
    const offered = isUuid(callId) && (await seats.offer(callId, hashOf(secret), expiresAt))
    return offered ? roomAddress(publicUrl, callId, secret) : null
  }

  /** Takes an accepted socket. A refused one hears `room.error` (in `room.v1`) and is closed with the code of its kind. */
  join(socket: WebSocket, callId: string, search: URLSearchParams): void {
    // Nothing is read, and so nothing is kept in memory, for a client whose secret is not checked yet.
    socket.pause()
    socket.on('error', () => undefined)
    this.#admit(socket, callId, search.get('secret') ?? '').catch((error: unknown) => {
      this.#options.logger.error({ callId, err: error }, 'room not opened')
      refuse(socket, 'connection-error')
    })
  }

  async #admit(socket: WebSocket, callId: string, secret: string): Promise<void> {
    if (!isUuid(callId)) return refuse(socket, 'no-room')
    const { seats, clock, logger } = this.#options
    const now = new Date(clock.now())
    const resumeToken = newSecret()
    const call = await seats.take(callId, hashOf(secret), hashOf(resumeToken), now)
    if (!call) {
      const kind = refusalOf(await seats.look(callId, hashOf(secret), now))
      logger.info({ callId, kind }, 'room refused')
      return refuse(socket, kind)
    }
    const isRoom = socket.protocol === ROOM_PROTOCOL
    if (isRoom) {
      const participantId = randomUUID()
      socket.send(roomText({ type: 'room.joined', callId, participantId, resumeToken }))
    }
    const options = { clock, logger: logger.child({ callId }) }
    const link = isRoom ? new SocketLink(socket, options) : new PacedLink(socket, options)
    this.#options.joined(call, link, link.gone)
    socket.resume()
  }
}

/** Which kind of refusal a room's state is. Read from the top: the table in the README says the same. */
function refusalOf(state: RoomState | undefined): RefusalKind {
  if (!state) return 'no-room'
  if (state.expired) return 'exp-room'
  if (state.ended) return 'end-of-life'
  return state.known && state.taken ? 'meeting-full' : 'not-allowed'
}

function refuse(socket: WebSocket, kind: RefusalKind): void {
  const message = REFUSALS[kind]
  if (socket.protocol === ROOM_PROTOCOL && socket.readyState === socket.OPEN)
    socket.send(roomText({ type: 'room.error', kind, message }))
  socket.close(FATAL_ERRORS[kind], closeReason(message))
  socket.resume()
}
