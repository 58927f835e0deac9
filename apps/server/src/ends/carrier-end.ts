import type { Db } from '@heyline/database'
import {
  type Carrier,
  createSimulatedCarrier,
  createTwilioCarrier,
  type SimulatedCarrier,
  type TwilioCarrier,
} from '@heyline/voice-platform'
import type { Logger } from 'pino'
import type { TwilioSettings } from '../settings/settings.js'

/** Who carries the built-in platform's phone calls, and which of its doors the server has to open. */
export interface CarrierEnd {
  carrier: Carrier
  description: string
  simulated?: SimulatedCarrier
  twilio?: TwilioCarrier
}

export interface CarrierEndOptions {
  twilio?: TwilioSettings
  db: Db
  publicUrl: string
  logger: Logger
}

export function openCarrier({ twilio: settings, db, publicUrl, logger }: CarrierEndOptions): CarrierEnd {
  if (settings) {
    const twilio = createTwilioCarrier({ ...settings, db, publicUrl, logger })
    return { carrier: twilio, twilio, description: 'phone calls by Twilio' }
  }
  const simulated = createSimulatedCarrier({ db, logger })
  return { carrier: simulated, simulated, description: 'simulated carrier' }
}
