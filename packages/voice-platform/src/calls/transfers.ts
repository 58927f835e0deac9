import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { type Carrier, CarrierRefusal } from '../carriers/carrier.js'
import { PhoneNumberStore } from '../numbers/phone-number-store.js'
import type { BridgeCall, TransferOutcome } from '../session/bridge-call.js'
import type { CallRow } from './call-row.js'
import { callerId } from './caller-id.js'

/** A call that is to be transferred. */
export interface TransferRequest {
  callId: string
  /** E.164. */
  number: string
  /** How long the transferred call may last at most, in seconds. */
  seconds: number
  /** Somebody called us. */
  inbound: boolean
}

/**
 * Asked before each transfer: resolves with the code of a refusal. Else the number may be called and its money is reserved: resolves with
 * what gives that back, or undefined where nothing can be given back.
 */
export type TransferGate = (request: TransferRequest) => Promise<string | GiveBack | undefined>

/** Asked at most once, of a transfer that surely cost nothing. */
type GiveBack = () => Promise<void>

export interface TransfersOptions {
  db: Db
  carrier: Carrier
  /** Without one, no call is transferred. */
  gate?: TransferGate | undefined
  logger: Logger
}

/** Transfers of phone calls to other numbers, by the carrier that has the call. */
export class Transfers {
  readonly #options: TransfersOptions
  readonly #numbers: PhoneNumberStore
  /** By the call: money of a transfer that may come to nothing. */
  readonly #reserved = new Map<string, GiveBack>()

  constructor(options: TransfersOptions) {
    this.#options = options
    this.#numbers = new PhoneNumberStore(options.db)
  }

  /** How this call is transferred; undefined where it cannot be: no phone call, or a carrier that bridges none. */
  bridgeOf({ id: callId, type, phone_number_id: phoneNumberId }: CallRow): BridgeCall | undefined {
    const { db, carrier, gate, logger } = this.#options
    if (type === 'webCall' || !carrier.transfer || !gate || phoneNumberId === null) return undefined
    return async ({ number, extension, callerId: shown }, seconds): Promise<TransferOutcome> => {
      try {
        const from = shown ?? (await callerId(db, phoneNumberId))
        if (shown !== undefined && (await this.#numbers.foreign([shown])).length > 0) {
          logger.warn(
            { callId },
            'the callerId of a transfer is none of our numbers; the call is not transferred',
          )
          return 'refused'
        }
        const answer = await gate({ callId, number, seconds, inbound: type === 'inboundPhoneCall' })
        if (typeof answer === 'string') {
          logger.warn({ callId, refusal: answer }, 'the number of a transfer may not be called')
          return 'refused'
        }
        if (answer) this.#reserved.set(callId, answer)
        else this.#reserved.delete(callId)
        const request = { callId, to: number, from, seconds, ...(extension !== undefined && { extension }) }
        await carrier.transfer?.(request)
        logger.info({ callId }, 'call transferred')
        return 'bridged'
      } catch (error) {
        const isSure = error instanceof CarrierRefusal
        if (isSure) await this.giveBack(callId)
        logger.warn({ callId, err: error }, isSure ? 'call not transferred' : 'call may not be transferred')
        return 'failed'
      }
    }
  }

  /** The call's transfer surely cost nothing: nobody was reached. Never rejects. */
  async giveBack(callId: string): Promise<void> {
    const give = this.#reserved.get(callId)
    this.#reserved.delete(callId)
    try {
      await give?.()
    } catch (error) {
      this.#options.logger.warn({ callId, err: error }, 'the money of a transfer was not given back')
    }
  }

  /** The call is over: what its transfer may have cost stays spent. */
  forget(callId: string): void {
    this.#reserved.delete(callId)
  }
}
