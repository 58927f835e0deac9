import { randomUUID } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import { hashOf, newSecret } from '@heyline/kit/secret'
import { WaitingLine } from '@heyline/kit/waiting-line'
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
import { roomAddress } from '../calls/room-address.js'
import { CallerWords } from '../link/caller-words.js'
import type { Link } from '../link/link.js'
import { type Admission, Occupants } from './occupants.js'
import { PacedLink } from './paced-link.js'
import { closeReason } from './room-socket.js'
import type { RoomState, SeatStore } from './seat-store.js'
import { SocketLink } from './socket-link.js'

/** How long the address of a phone call's room is good for, in milliseconds. */
const PHONE_JOIN_MS = 15_000
/** How long a client waits at the door while the database does not answer, in milliseconds. */
const ADMISSION_MS = 10_000
/** Clients about whom the database is asked at once: a crowd at the door leaves it time for everybody else. */
const ASKED_AT_ONCE = 4

/** A tag of BCP 47 as browsers take it: `en`, `pt-BR`. Transcribers have other words too, such as `multi`. */
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

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
  /** How long a client that was lost may come back, in milliseconds. */
  graceMs: number
  /** Clients are asked for the words that they recognise themselves; not by default. */
  callerWords?: boolean
  clock: Clock
  logger: Logger
  /** Somebody has come in. `gone` resolves when the link has ended. */
  onJoined(call: CallRow, link: Link, gone: Promise<void>): void
}

/**
 * Lets one client into the room of each call: the one that brings the room's secret first and in time. A client that was lost
 * comes back with its resume token, to the process that runs its session.
 */
export class RoomDoor {
  readonly #options: RoomDoorOptions
  readonly #occupants: Occupants
  readonly #line = new WaitingLine({ atOnce: ASKED_AT_ONCE })

  constructor(options: RoomDoorOptions) {
    this.#options = options
    this.#occupants = new Occupants(options.seats, options.logger)
  }

  /** A fresh address for a phone call that is not answered yet; null when there is no such call. */
  async address(callId: string): Promise<string | null> {
    const { seats, clock, publicUrl } = this.#options
    const secret = newSecret()
    const expiresAt = new Date(clock.now() + PHONE_JOIN_MS)
    const offered = isUuid(callId) && (await seats.offer(callId, hashOf(secret), expiresAt))
    return offered ? roomAddress(publicUrl, callId, secret) : null
  }

  /**
   * Takes an accepted socket. A refused one hears `room.error` (in `room.v1`) and is closed with the code of its kind; so is one
   * for which nothing is known in ten seconds. Whose seat is found taken for it after that has been lost.
   */
  join(socket: WebSocket, callId: string, search: URLSearchParams): void {
    // Nothing is read, and so nothing is kept in memory, for a client whose secret is not checked yet.
    socket.pause()
    socket.on('error', () => undefined)
    const token = search.get('resume')
    const entering =
      token === null || socket.protocol !== ROOM_PROTOCOL
        ? this.#admit(socket, callId, search.get('secret') ?? '')
        : this.#readmit(socket, callId, token, framesOf(search.get('received')))
    const { clock, logger } = this.#options
    const stop = clock.after(ADMISSION_MS, () => {
      logger.error({ callId }, 'room not opened: the database does not answer')
      refuse(socket, 'connection-error')
    })
    entering
      .catch((error: unknown) => {
        logger.error({ callId, err: error }, 'room not opened')
        refuse(socket, 'connection-error')
      })
      .finally(stop)
  }

  async #admit(socket: WebSocket, callId: string, secret: string): Promise<void> {
    if (!isUuid(callId)) return refuse(socket, 'no-room')
    const { seats, clock, logger, graceMs, callerWords } = this.#options
    const now = new Date(clock.now())
    const admission = { participantId: randomUUID(), resumeToken: newSecret() }
    const [hash, resumeHash] = [hashOf(secret), hashOf(admission.resumeToken)]
    const call = await this.#ask(socket, () => seats.take(callId, hash, resumeHash, now))
    if (!call) {
      const kind = refusalOf(await this.#ask(socket, () => seats.look(callId, hash, now)))
      logger.info({ callId, kind }, 'room refused')
      return refuse(socket, kind)
    }
    const options = { clock, logger: logger.child({ callId }), graceMs }
    if (socket.protocol === ROOM_PROTOCOL) {
      const words = callerWords ? new CallerWords(clock, wishOf(call)) : undefined
      this.#welcome(socket, callId, { ...admission, words })
      const link = new SocketLink(socket, { ...options, words })
      this.#occupants.add(callId, link, admission)
      this.#options.onJoined(call, link, link.gone)
    } else {
      const link = new PacedLink(socket, options)
      this.#options.onJoined(call, link, link.gone)
    }
    socket.resume()
  }

  /** Whoever comes to a process that does not run the session is to try again: the next try may come to the right one. */
  async #readmit(
    socket: WebSocket,
    callId: string,
    token: string,
    received: number | undefined,
  ): Promise<void> {
    if (!isUuid(callId)) return refuse(socket, 'no-room')
    const { seats, logger } = this.#options
    const back = this.#occupants.readmit(callId, token)
    if (back) {
      this.#welcome(socket, callId, { ...back.admission, words: back.link.words })
      // Of the connection that it has not heard of it has nothing.
      back.link.resume(socket, back.isSecondTry && received !== undefined ? 0 : received)
      socket.resume()
      logger.info({ callId }, 'client came back')
      return
    }
    const state = await this.#ask(socket, () => seats.lookBack(callId, hashOf(token)))
    if (state?.ended && state.known) return end(socket, state.ended_reason ?? '')
    const kind = !state
      ? 'no-room'
      : state.ended
        ? 'end-of-life'
        : state.known
          ? 'connection-error'
          : 'not-allowed'
    logger.info({ callId, kind }, 'client not let back')
    refuse(socket, kind)
  }

  /** Asks the database when it is this client's turn, and nothing for one that has been sent away meanwhile. */
  #ask<Answer>(socket: WebSocket, query: () => Promise<Answer>): Promise<Answer | undefined> {
    return this.#line.run(async () => (socket.readyState === socket.OPEN ? await query() : undefined))
  }

  #welcome(socket: WebSocket, callId: string, { words, ...admission }: Welcome): void {
    const { graceMs } = this.#options
    const wish = words && { words: words.wish }
    socket.send(roomText({ type: 'room.joined', callId, ...admission, graceMs, ...wish }))
  }
}

interface Welcome extends Admission {
  words: CallerWords | undefined
}

/** The assistant's transcriber may name the language that callers speak. */
function wishOf({ assistant: { transcriber } }: CallRow): WordsWish {
  const language = transcriber && 'language' in transcriber ? transcriber.language : undefined
  return typeof language === 'string' && LANGUAGE.test(language) ? { language } : {}
}

/** Which kind of refusal a room's state is. Read from the top: the table in the README says the same. */
function refusalOf(state: RoomState | undefined): RefusalKind {
  if (!state) return 'no-room'
  if (state.expired) return 'exp-room'
  if (state.ended) return 'end-of-life'
  return state.known && state.taken ? 'meeting-full' : 'not-allowed'
}

/** How many frames a client says it has; undefined for one that says nothing. */
const framesOf = (received: string | null): number | undefined =>
  received === null || !/^\d{1,9}$/.test(received) ? undefined : Number(received)

function refuse(socket: WebSocket, kind: RefusalKind): void {
  const message = REFUSALS[kind]
  if (socket.protocol === ROOM_PROTOCOL && socket.readyState === socket.OPEN)
    socket.send(roomText({ type: 'room.error', kind, message }))
  socket.close(FATAL_ERRORS[kind], closeReason(message))
  socket.resume()
}

/** A client that comes back to a call which has ended meanwhile hears why. */
function end(socket: WebSocket, reason: string): void {
  socket.send(roomText({ type: 'room.ended', reason }))
  socket.close(1000, closeReason(reason))
  socket.resume()
}

/** Whether this text can be an id of the platform's, so that Postgres takes it as one. */
const isUuid = (text: string): boolean => UUID.test(text)
