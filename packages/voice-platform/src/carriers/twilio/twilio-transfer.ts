import type { Logger } from 'pino'
import { z } from 'zod'
import { CarrierRefusal, type TransferEnd, type TransferRequest } from '../carrier.js'
import type { LegStore } from './leg-store.js'
import type { TwilioApi } from './twilio-api.js'
import { callbackUrl } from './twilio-callback.js'
import { dial, HANG_UP, sayAndHangUp } from './twiml.js'

/** Marks the request for what follows a transfer, with the transfer's number: it comes where an answered call asks for its audio. */
const DIALLED = 'dialled'
/** How long the destination rings, in seconds. */
const RING_SECONDS = 30
/** Twilio's longest time of a dialled call, in seconds. */
const MAX_SECONDS = 14_400
/** Said by Twilio where the call cannot come back: its assistant is not here. */
const NOT_REACHED = 'Sorry, nobody could be reached. Goodbye.'
/** What `DialCallStatus` says of a transfer that nobody has answered. */
const UNANSWERED: ReadonlyMap<string, TransferEnd> = new Map([
  ['busy', 'busy'],
  ['no-answer', 'no-answer'],
  ['failed', 'failed'],
])

export interface TwilioTransfersOptions {
  legs: LegStore
  api: TwilioApi
  publicUrl: string
  logger: Logger
}

/** A transfer of this process: its number among the process's, and why it came to nothing, once Twilio has said so. */
interface TwilioTransfer {
  number: number
  end?: TransferEnd
}

/** What follows `<Dial>`: these instructions, and whether the call is over with them; or the call's audio comes back. */
export type AfterDial = { twiml: string; isOver: boolean } | 'back'

/**
 * Answered calls that Twilio connects with another number: new TwiML takes the place of their media stream. Where nobody answers there, a
 * new stream brings the call back.
 */
export class TwilioTransfers {
  readonly #options: TwilioTransfersOptions
  /** Calls of this process whose stream ends, or has ended, by a transfer. */
  readonly #calls = new Map<string, TwilioTransfer>()
  #latest = 0

  constructor(options: TwilioTransfersOptions) {
    this.#options = options
  }

  /** See `Carrier.transfer`. */
  async transfer({ callId, to, from, seconds, extension }: TransferRequest): Promise<void> {
    const { legs, api, publicUrl, logger } = this.#options
    const leg = await legs.find(callId)
    const sid = leg?.state === 'answered' && !leg.hanging_up ? leg.provider_id : null
    if (!sid) throw new CarrierRefusal('not_answered', 'The call is not answered, or is over.')
    this.#latest += 1
    const number = this.#latest
    // Twilio closes the stream before it answers.
    this.#calls.set(callId, { number })
    const twiml = dial(to, {
      callerId: from,
      timeout: RING_SECONDS,
      timeLimit: Math.min(seconds, MAX_SECONDS),
      action: `${callbackUrl(publicUrl, 'voice', callId)}?${DIALLED}=${number}`,
      ...(extension !== undefined && { sendDigits: extension }),
    })
    try {
      await api.redirectCall(sid, twiml)
    } catch (error) {
      // After any other error the stream's end may be the transfer's doing: whoever hears it hangs the call up.
      if (error instanceof CarrierRefusal) this.#calls.delete(callId)
      throw error
    }
    logger.info({ callId, sid }, 'twilio call transferred')
  }

  /** Whether the end of this call's stream is not the end of the call. */
  has(callId: string): boolean {
    return this.#calls.has(callId)
  }

  /** The call is over. True where this process had transferred it. */
  forget(callId: string): boolean {
    return this.#calls.delete(callId)
  }

  /** Whether the call's next stream brings it back. */
  comesBack(callId: string): boolean {
    return this.#calls.get(callId)?.end !== undefined
  }

  /** A stream has come: why the call is back, where a transfer has come to nothing. It is transferred no more. */
  back(callId: string): TransferEnd | undefined {
    const end = this.#calls.get(callId)?.end
    if (end !== undefined) this.#calls.delete(callId)
    return end
  }

  /**
   * What is to become of a call whose dialled number has hung up or was not reached. News that come again are answered again; those of an
   * earlier transfer, or of a call that is back, change nothing.
   */
  afterDial(callId: string, { status, number }: DialledNews): AfterDial {
    this.#options.logger.info({ callId, status }, 'transferred twilio call is over')
    const end = UNANSWERED.get(status)
    const transfer = this.#calls.get(callId)
    if (transfer?.number !== number)
      return { twiml: end === undefined ? HANG_UP : sayAndHangUp(NOT_REACHED), isOver: false }
    // Nothing else tells at once that an incoming call has ended.
    if (end === undefined) return { twiml: HANG_UP, isOver: true }
    transfer.end = end
    return 'back'
  }
}

/** What Twilio says once a dialled number is done with, as one process asks another one about it. */
export const dialledNews = z.object({ sid: z.string(), status: z.string(), number: z.number() })

export type DialledNews = z.infer<typeof dialledNews>

/** Reads what another process asks; undefined for what is none. */
export function readDialledNews(question: string): DialledNews | undefined {
  try {
    return dialledNews.safeParse(JSON.parse(question)).data
  } catch {
    return undefined
  }
}

/** The news in Twilio's request, whose signature was verified. */
export async function newsOf(sid: string, { request, number }: DialledRequest): Promise<DialledNews> {
  const status = new URLSearchParams(await request.text()).get('DialCallStatus') ?? ''
  return { sid, status, number }
}

/** A second copy of a request that follows a transfer, and which transfer it was. */
export interface DialledRequest {
  request: Request
  number: number
}

/** Undefined for any other request. */
export function dialledRequest(request: Request): DialledRequest | undefined {
  const number = new RegExp(`^\\?${DIALLED}=(\\d{1,9})$`).exec(new URL(request.url).search)?.[1]
  return number === undefined ? undefined : { request: request.clone(), number: Number(number) }
}
