import type { Link } from '../link/link.js'

/** One outbound phone call, as the platform asks a carrier for it. */
export interface DialRequest {
  /** The platform's id of the call (a UUID). */
  callId: string
  /** The number to ring, E.164. */
  to: string
  /** The caller id, E.164. */
  from: string
  /** How long to let it ring, in seconds. */
  ringSeconds: number
  /**
   * What a machine that answers does to the call, where the carrier can tell one: `end` ends it as `voicemail`, `report` reports it once
   * its greeting is over. Left out: nobody listens for machines.
   */
  machines?: 'end' | 'report'
  /**
   * The platform ends the call after so many seconds of it. A carrier that holds the line itself hangs up a little later, whatever has become of
   * the platform's own timer.
   */
  mostSeconds?: number
}

/** Knows whether a call may still be dialled. */
export interface DialGuard {
  /** Throws a `CarrierRefusal` where it is too late. To be asked last before the carrier sends what makes a phone ring. */
  check(): void
}

/** An answered call that goes on with another number. */
export interface TransferRequest {
  callId: string
  /** The number to ring, E.164. It was asked for by somebody who may spend money. */
  to: string
  /** The caller id that it sees, E.164. */
  from: string
  /** The transferred call ends after so many seconds. */
  seconds: number
  /** Keys that are pressed once somebody has answered: 0-9, *, #, and `w` for half a second's wait. */
  extension?: string
}

/** One text message (SMS), as the platform asks a carrier for it. */
export interface TextMessage {
  /** E.164 both. */
  to: string
  from: string
  /** 1 to 320 characters (UTF-16 units). */
  body: string
}

/**
 * Why a phone leg ended, before or after it was answered. The platform maps each to its `endedReason`. `misdialed`: nobody has the number,
 * so nothing of the carrier's has failed.
 */
export const LEG_ENDS = [
  'hung-up',
  'no-answer',
  'busy',
  'voicemail',
  'misdialed',
  'failed',
  /** Nothing at all was heard of the call: the way to the carrier has failed. Nobody knows whether a phone rang. */
  'unheard',
  'canceled',
  /** Of a call to us: its caller never confirmed our answer, so that nobody knows whether there was one. */
  'unconfirmed',
] as const

export type LegEnd = (typeof LEG_ENDS)[number]

/** Why a transferred call has come back. */
export type TransferEnd = Extract<LegEnd, 'no-answer' | 'busy' | 'failed'>

/**
 * What a carrier reports of its calls: ringing at most once, then answered at most once, then ended once. With several server
 * processes different ones may get the reports of one call. The process that holds the audio reports `answered`.
 */
export interface CarrierEvents {
  onRinging(callId: string): void
  /**
   * Somebody or something has picked up, and the carrier bills from now on, whether or not `onAnswered` follows. Before `onAnswered`, and
   * perhaps more than once. Only from carriers that bill each minute that has begun. Resolves once it is stored; never rejects.
   */
  onPickedUp?(callId: string): Promise<void>
  /** Somebody picked up, or a voicemail box that waits for a message. The link leads to them. */
  onAnswered(callId: string, link: Link, by?: 'machine'): void
  /** What was reported as answered turns out to be a voicemail box, and its greeting is over. At most once. */
  onMachine(callId: string): void
  onEnded(callId: string, end: LegEnd): void
  /**
   * Nobody has answered a transfer: the link leads to the caller again. Only in the process that had asked for the transfer, and at most
   * once for each.
   */
  onBackFromTransfer(callId: string, link: Link, why: TransferEnd): void
  /** Somebody calls. Where the call is taken, `onAnswered` and `onEnded` follow. Rejects where it cannot be taken now. */
  onIncoming(call: IncomingCall, wait?: IncomingWait): Promise<IncomingAnswer>
}

/** Somebody calls one of our numbers. */
export interface IncomingCall {
  /** The carrier's own id. */
  id: string
  /** The caller's number, E.164; undefined where it is hidden. */
  from: string | undefined
  /** Ours, E.164. */
  to: string
  /** Whether the telephone network vouches that the caller has the number `from`. */
  attested: boolean
}

/** While it is decided what becomes of an incoming call. */
export interface IncomingWait {
  /** Aborted where the call is over: nobody has to be asked about it any more. */
  signal: AbortSignal
  /** Somebody else's server is asked about the call, which may take seconds. At most once. */
  onServerAsked(): void
}

/**
 * What becomes of an incoming call: the platform's id of it, or a refusal. `busy`: the caller may try again later. `isStored`: the call was
 * let pass first, which has stored it and had a server asked.
 */
export type IncomingAnswer = { callId: string } | { refusal: 'busy' | 'rejected'; isStored?: true }

/** A call that the carrier has accepted; `id` is the carrier's own. */
export interface Leg {
  readonly id: string
}

/** The platform's rooms, for a carrier whose callees join one. A telephony provider needs none. */
export interface CarrierRooms {
  /** A new room address of this call, with a secret that is good once. Null when the call is over or unknown. */
  address(callId: string): Promise<string | null>
  /**
   * Registers the listener for links that come into the room of a phone call in this process. The carrier reports such a link as
   * answered, or closes it. `gone` resolves when the link has ended, whoever ended it. Called once, in `connect`.
   */
  onJoin(joined: (callId: string, link: Link, gone: Promise<void>) => void): void
  /** The address of a guest's room. `callId` is the call that the guest is joined into, whichever process holds it. */
  guestAddress(id: string, secret: string, callId: string): string
  /**
   * Asks the carrier of the process that holds this call: see `Carrier.answer`. Undefined where this process holds it, or the other one is
   * not reached, or has no answer. Never rejects. Left out where this process is alone.
   */
  askHolder?(callId: string, question: string): Promise<string | undefined>
  /** Opens a room of this process for a guest under this id, which is no call's, until the returned function is called. */
  openGuestRoom(id: string, guest: GuestRoom): () => void
}

/** A room for somebody who is joined into a running call. */
export interface GuestRoom {
  /** True for the first who brings the secret with this hash, in time. */
  admit(secretHash: string): Promise<boolean>
  /** They have come in. `gone` resolves when the link has ended. */
  joined(link: Link, gone: Promise<void>): void
}

/** Who carries phone calls: the simulated carrier (rings pocket phones), or a telephony provider. */
export interface Carrier {
  readonly name: string
  /** Called once, before the first dial. */
  connect(events: CarrierEvents, rooms: CarrierRooms): void
  /** False while this process can place no calls: then it leaves the queue to others. Always true where it is left out. */
  canDial?(): boolean
  /** Resolves once this process can place calls; always where it is left out. Rejects with a `CarrierRefusal` where it cannot. */
  prepare?(): Promise<void>
  /**
   * Resolves once the carrier has accepted the call. Rejects with a `CarrierRefusal` when it surely was not placed. The guard was asked before; a
   * carrier that has to wait for something first asks it again.
   */
  dial(request: DialRequest, guard?: DialGuard): Promise<Leg>
  /**
   * Rings a number and connects the answered call with it; only where the carrier can. Resolves once the carrier has taken over: the call's
   * link closes, and nothing more is heard of the call here. `ended` follows as ever when the connected call is over. Where nobody has
   * answered, the call comes back (`onBackFromTransfer`), or ends. `hangUp` ends both. Rejects with a `CarrierRefusal` when the call surely
   * goes on as before, its link open. After any other error the call may be transferred; it is never tried again.
   */
  transfer?(request: TransferRequest): Promise<void>
  /** Answers what the carrier of another process asks about a call that this one holds. Undefined where there is no answer. */
  answer?(callId: string, question: string): Promise<string | undefined>
  /** Stops ringing or hangs up; `ended` follows unless it was reported already. Idempotent. */
  hangUp(callId: string): Promise<void>
  /**
   * Resolves once the carrier has accepted the text. Rejects with a `CarrierRefusal` when it surely was not sent. After any other
   * error it may arrive; no carrier sends it again.
   */
  sendText(text: TextMessage): Promise<void>
  /**
   * This process is about to stop: whoever sends us calls is told to send them elsewhere, and what one process of a machine has alone is given
   * back once no call needs it. The calls of now go on. Idempotent.
   */
  leave?(): void
  /** Hangs up every leg of this process. */
  close(): Promise<void>
}

export interface CarrierRefusalOptions extends ErrorOptions {
  mayPass?: boolean
  isOfLines?: boolean
}

/** The carrier surely has not placed the call or sent the text. After any other error the call may ring, and the text may arrive. */
export class CarrierRefusal extends Error {
  override readonly name = 'CarrierRefusal'
  /** The carrier's own code, for the record. */
  readonly code: string
  /** Another try, or another process, may succeed soon: nothing is wrong with the call or the lines. */
  readonly mayPass: boolean
  /** Nothing is wrong with the call: the carrier, its account or the way to it fails, as it would for a call to anybody. */
  readonly isOfLines: boolean

  constructor(
    code: string,
    message: string,
    { mayPass = false, isOfLines = false, ...options }: CarrierRefusalOptions = {},
  ) {
    super(message, options)
    this.code = code
    this.mayPass = mayPass
    this.isOfLines = isOfLines
  }
}
