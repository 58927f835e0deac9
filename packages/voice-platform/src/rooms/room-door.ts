import { randomUUID } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import { FairLine, type Place, SOMEWHERE } from '@heyline/kit/fair-line'
import { hashOf, newSecret } from '@heyline/kit/secret'
import { NoTurnError } from '@heyline/kit/waiting-line'
import {
  FATAL_ERRORS,
  type FatalErrorKind,
  ROOM_PROTOCOL,
  roomText,
  type WordsWish,
} from '@heyline/room-protocol'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import type { CallRow } from '../calls/call-row.js'
import { FULL_HERE } from '../calls/house.js'
import { roomAddress } from '../calls/room-address.js'
import type { GuestRoom } from '../carriers/carrier.js'
import { CallerWords } from '../link/caller-words.js'
import type { Link } from '../link/link.js'
import type { HolderStore } from '../relay/holder-store.js'
import type { Holder } from '../relay/reach-process.js'
import { isCallId } from '../resources/call-id.js'
import { Budget } from '../work/budget.js'
import { REFUSALS_TOLD } from '../work/refusals-told.js'
import { type Admission, Occupants } from './occupants.js'
import { PacedLink } from './paced-link.js'
import { closeReason } from './room-socket.js'
import type { RoomState, SeatStore } from './seat-store.js'
import { SocketLink } from './socket-link.js'

/** How long the address of a phone call's room is valid, in milliseconds. */
const PHONE_JOIN_MS = 15_000
/** How long a client waits for an answer of the database, in milliseconds. */
const ADMISSION_MS = 10_000
/**
 * Questions to the database: few at once, so that a crowd at the door does not keep everybody else from it, and of each network in turn, so
 * that whoever makes up rooms keeps nobody waiting.
 */
const QUESTIONS = {
  atOnce: 4,
  waiting: { ofAddress: 100, ofNetwork: 500, networks: 1_000 },
  longestMs: ADMISSION_MS,
}

/** A BCP 47 tag as browsers take it: `en`, `pt-BR`. Transcribers have other values too, such as `multi`. */
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/

/** What a refused client is told. */
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
  /** Which processes hold the other rooms; left out where this one is alone. */
  holders?: HolderStore | undefined
  publicUrl: string
  /** How long a client that was lost may come back, in milliseconds. */
  graceMs: number
  /** Ask clients for the words of their own speech recognition; off by default. */
  callerWords?: boolean
  clock: Clock
  logger: Logger
  /** Whether this process may run this web call; any by default. One that it may not is to be tried again: another process may have room. */
  hasRoomFor?(callId: string): Promise<boolean>
  /** Somebody has come in. `gone` resolves when the link has ended. */
  onJoined(call: CallRow, link: Link, gone: Promise<void>): void
}

/**
 * Lets one client into the room of each call: the first that brings the room's secret in time. A client that was lost comes back with
 * its resume token, to the process that runs its session: see `holderOf`.
 */
export class RoomDoor {
  readonly #options: RoomDoorOptions
  readonly #occupants: Occupants
  readonly #guests = new Map<string, GuestRoom>()
  readonly #line = new FairLine(QUESTIONS)
  readonly #told: Budget

  constructor(options: RoomDoorOptions) {
    this.#options = options
    this.#occupants = new Occupants(options)
    this.#told = new Budget(options.clock, REFUSALS_TOLD)
  }

  /** A new address for a phone call that nobody has answered. Null when there is no such call. */
  async address(callId: string): Promise<string | null> {
    const { seats, publicUrl } = this.#options
    const secret = newSecret()
    const offered = isCallId(callId) && (await seats.offer(callId, hashOf(secret), PHONE_JOIN_MS))
    return offered ? roomAddress(publicUrl, callId, secret) : null
  }

  /** See `CarrierRooms`. */
  guestAddress(id: string, secret: string, callId: string): string {
    return roomAddress(this.#options.publicUrl, id, secret, callId)
  }

  /** See `CarrierRooms`. */
  openGuestRoom(id: string, guest: GuestRoom): () => void {
    this.#guests.set(id, guest)
    return () => this.#guests.delete(id)
  }

  /**
   * The other process that holds this room, or the call that its guest is joined into. Undefined where `join` is the place to ask: a room
   * that is new, is here, or that nobody holds. Rejects where the database cannot be asked.
   */
  holderOf(callId: string, search: URLSearchParams, from: Place): Promise<Holder | undefined> | undefined {
    const { holders } = this.#options
    const held = search.get('call') ?? (search.has('resume') ? callId : undefined)
    if (!holders || held === undefined || !isCallId(held)) return undefined
    if (this.#occupants.has(callId) || this.#guests.has(callId)) return undefined
    return this.#line.run(from, () => holders.of(held))
  }

  /**
   * Takes an accepted socket. A refused client gets `room.error` (in `room.v1`) and the close code of its kind. So does one about whom
   * the database says nothing for ten seconds. If it gets the seat after that, it counts as lost.
   */
  join(socket: WebSocket, callId: string, search: URLSearchParams, from: Place = SOMEWHERE): void {
    // Nothing is read before the secret is checked, so that nothing of a stranger is kept in memory.
    socket.pause()
    socket.on('error', () => undefined)
    const token = search.get('resume')
    const entering =
      token === null || socket.protocol !== ROOM_PROTOCOL
        ? this.#admit({ socket, from }, callId, search.get('secret') ?? '')
        : this.#readmit({ socket, from }, callId, token, framesOf(search.get('received')))
    const { clock, logger } = this.#options
    const stop = clock.after(ADMISSION_MS, () => {
      logger.error({ callId }, 'room not opened: the database does not answer')
      refuse(socket, 'connection-error')
    })
    entering
      .catch((error: unknown) => {
        if (error instanceof NoTurnError)
          this.#tellRefusal({ callId, kind: 'connection-error' }, 'too many at the door')
        else logger.error({ callId, err: error }, 'room not opened')
        refuse(socket, 'connection-error')
      })
      .finally(stop)
  }

  async #admit({ socket, from }: Comer, callId: string, secret: string): Promise<void> {
    if (!isCallId(callId)) return refuse(socket, 'no-room')
    const { seats, clock, callerWords } = this.#options
    const admission = { participantId: randomUUID(), resumeToken: newSecret() }
    const [hash, resumeHash] = [hashOf(secret), hashOf(admission.resumeToken)]
    const guest = this.#guests.get(callId)
    if (guest) {
      if (!(await this.#ask({ socket, from }, () => guest.admit(hash)))) return refuse(socket, 'not-allowed')
      return this.#seat(socket, callId, { ...admission, words: undefined }, guest.joined)
    }
    let hasRoom = true
    const call = await this.#ask({ socket, from }, async () => {
      hasRoom = (await this.#options.hasRoomFor?.(callId)) ?? true
      return seats.take(callId, hash, resumeHash, hasRoom)
    })
    if (!call) {
      const state = await this.#ask({ socket, from }, () => seats.look(callId, hash))
      const isFull = !hasRoom && state && state.known && !(state.ended || state.taken || state.expired)
      const kind = isFull ? 'connection-error' : refusalOf(state)
      this.#tellRefusal({ callId, kind }, isFull ? 'room refused: this process is full' : 'room refused')
      return refuse(socket, kind, isFull ? FULL_HERE : REFUSALS[kind])
    }
    const words = callerWords ? new CallerWords(clock, wishOf(call)) : undefined
    this.#seat(socket, callId, { ...admission, words }, (link, gone) =>
      this.#options.onJoined(call, link, gone),
    )
  }

  #seat(
    socket: WebSocket,
    callId: string,
    { words, ...admission }: Welcome,
    joined: (link: Link, gone: Promise<void>) => void,
  ): void {
    const { clock, logger, graceMs } = this.#options
    const options = { clock, logger: logger.child({ callId }), graceMs }
    if (socket.protocol === ROOM_PROTOCOL) {
      this.#welcome(socket, callId, { ...admission, words })
      const link = new SocketLink(socket, { ...options, words })
      this.#occupants.add(callId, link, admission)
      joined(link, link.gone)
    } else {
      const link = new PacedLink(socket, options)
      joined(link, link.gone)
    }
    socket.resume()
  }

  /** A client whose room another process holds comes here only if that one was not reached: it is told to try again. */
  async #readmit(
    { socket, from }: Comer,
    callId: string,
    token: string,
    received: number | undefined,
  ): Promise<void> {
    if (!isCallId(callId)) return refuse(socket, 'no-room')
    const { seats, logger } = this.#options
    const back = this.#occupants.readmit(callId, token)
    if (back === 'too_often') return refuse(socket, 'connection-error')
    if (back) {
      this.#welcome(socket, callId, { ...back.admission, words: back.link.words })
      // The client never heard of the last connection, so it has no frames of it.
      back.link.resume(socket, back.isSecondTry && received !== undefined ? 0 : received)
      socket.resume()
      logger.info({ callId }, 'client came back')
      return
    }
    const state = await this.#ask({ socket, from }, () => seats.lookBack(callId, hashOf(token)))
    if (state?.ended && state.known) return end(socket, state.ended_reason ?? '')
    const kind = !state
      ? 'no-room'
      : state.ended
        ? 'end-of-life'
        : state.known
          ? 'connection-error'
          : 'not-allowed'
    this.#tellRefusal({ callId, kind }, 'client not let back')
    refuse(socket, kind)
  }

  #tellRefusal(fields: { callId: string; kind: RefusalKind }, text: string): void {
    if (this.#told.spend()) this.#options.logger.info(fields, text)
  }

  /** Asks the database when this client's turn has come. A client that was refused meanwhile is not asked about. */
  #ask<Answer>({ socket, from }: Comer, query: () => Promise<Answer>): Promise<Answer | undefined> {
    return this.#line.run(from, async () => (socket.readyState === socket.OPEN ? await query() : undefined))
  }

  #welcome(socket: WebSocket, callId: string, { words, ...admission }: Welcome): void {
    const { graceMs } = this.#options
    const wish = words && { words: words.wish }
    socket.send(roomText({ type: 'room.joined', callId, ...admission, graceMs, ...wish }))
  }
}

/** Somebody at the door. */
interface Comer {
  socket: WebSocket
  from: Place
}

interface Welcome extends Admission {
  words: CallerWords | undefined
}

/** The assistant's transcriber may name the language that callers speak. */
function wishOf({ assistant: { transcriber } }: CallRow): WordsWish {
  const language = transcriber && 'language' in transcriber ? transcriber.language : undefined
  return typeof language === 'string' && LANGUAGE.test(language) ? { language } : {}
}

/** Why a client is refused. The first match counts, as in the table of the README. */
function refusalOf(state: RoomState | undefined): RefusalKind {
  if (!state) return 'no-room'
  if (state.expired) return 'exp-room'
  if (state.ended) return 'end-of-life'
  return state.known && state.taken ? 'meeting-full' : 'not-allowed'
}

/** How many frames a client says it has. Undefined where it says nothing. */
const framesOf = (received: string | null): number | undefined =>
  received === null || !/^\d{1,9}$/.test(received) ? undefined : Number(received)

function refuse(socket: WebSocket, kind: RefusalKind, message: string = REFUSALS[kind]): void {
  if (socket.protocol === ROOM_PROTOCOL && socket.readyState === socket.OPEN)
    socket.send(roomText({ type: 'room.error', kind, message }))
  socket.close(FATAL_ERRORS[kind], closeReason(message))
  socket.resume()
}

/** Tells a client that comes back to an ended call why it ended. */
function end(socket: WebSocket, reason: string): void {
  socket.send(roomText({ type: 'room.ended', reason }))
  socket.close(1000, closeReason(reason))
  socket.resume()
}
