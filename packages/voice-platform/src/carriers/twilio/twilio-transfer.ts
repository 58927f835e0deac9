import type { Logger } from 'pino'
import { CarrierRefusal, type TransferRequest } from '../carrier.js'
import type { LegStore } from './leg-store.js'
import type { TwilioApi } from './twilio-api.js'
import { callbackUrl } from './twilio-callback.js'
import { dial, HANG_UP, sayAndHangUp } from './twiml.js'

/** Marks the request for what follows a transfer: it comes where an answered call asks for its audio. */
const DIALLED = 'dialled'
/** How long the destination rings, in seconds. */
const RING_SECONDS = 30
/** Twilio's longest time of a dialled call, in seconds. */
const MAX_SECONDS = 14_400
/** Said by Twilio, as the call has no audio here any more. */
const NOT_REACHED = 'Sorry, nobody could be reached. Goodbye.'

export interface TwilioTransfersOptions {
  legs: LegStore
  api: TwilioApi
  publicUrl: string
  logger: Logger
}

/** Answered calls that Twilio connects with another number: new TwiML takes the place of their media stream. */
export class TwilioTransfers {
  readonly #options: TwilioTransfersOptions
  /** Calls of this process whose stream ends, or has ended, by a transfer. */
  readonly #calls = new Set<string>()

  constructor(options: TwilioTransfersOptions) {
    this.#options = options
  }

  /** See `Carrier.transfer`. */
  async transfer({ callId, to, from, seconds, extension }: TransferRequest): Promise<void> {
    const { legs, api, publicUrl, logger } = this.#options
    const leg = await legs.find(callId)
    const sid = leg?.state === 'answered' && !leg.hanging_up ? leg.provider_id : null
    if (!sid) throw new CarrierRefusal('not_answered', 'The call is not answered, or is over.')
    // Twilio closes the stream before it answers.
    this.#calls.add(callId)
    const twiml = dial(to, {
      callerId: from,
      timeout: RING_SECONDS,
      timeLimit: Math.min(seconds, MAX_SECONDS),
      action: `${callbackUrl(publicUrl, 'voice', callId)}?${DIALLED}`,
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

  /** TwiML for a call whose dialled number has hung up or was not reached. `request` is Twilio's, verified. */
  async afterDial(callId: string, request: Request): Promise<string> {
    const status = new URLSearchParams(await request.text()).get('DialCallStatus') ?? ''
    this.#options.logger.info({ callId, status }, 'transferred twilio call is over')
    return status === 'completed' || status === 'answered' ? HANG_UP : sayAndHangUp(NOT_REACHED)
  }
}

/** A second copy of a request that follows a transfer; undefined for any other. */
export function dialledRequest(request: Request): Request | undefined {
  return new URL(request.url).search === `?${DIALLED}` ? request.clone() : undefined
}
