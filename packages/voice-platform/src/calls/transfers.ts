import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { type Carrier, CarrierRefusal } from '../carriers/carrier.js'
import { PhoneNumberStore } from '../numbers/phone-number-store.js'
import type { BridgeCall, TransferOutcome } from '../session/bridge-call.js'
import type { CallRow } from './call-row.js'
import { callerId } from './caller-id.js'

/** A call that is to be transferred. */
export interface TransferRequest {
  /** E.164. */
  number: string
  /** How long the transferred call may last at most, in seconds. */
  seconds: number
  /** Somebody called us. */
  inbound: boolean
}

/** Asked before each transfer: resolves with the code of a refusal, or undefined where the number may be called and its money is reserved. */
export type TransferGate = (request: TransferRequest) => Promise<string | undefined>

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
        const refusal = await gate({ number, seconds, inbound: type === 'inboundPhoneCall' })
        if (refusal !== undefined) {
          logger.warn({ callId, refusal }, 'the number of a transfer may not be called')
          return 'refused'
        }
        const request = { callId, to: number, from, seconds, ...(extension !== undefined && { extension }) }
        await carrier.transfer?.(request)
        logger.info({ callId }, 'call transferred')
        return 'bridged'
      } catch (error) {
        const isSure = error instanceof CarrierRefusal
        logger.warn({ callId, err: error }, isSure ? 'call not transferred' : 'call may not be transferred')
        return 'failed'
      }
    }
  }
}
