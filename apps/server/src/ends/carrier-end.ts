import type { Db } from '@heyline/database'
import {
  type Carrier,
  createSimulatedCarrier,
  createSipCarrier,
  createTwilioCarrier,
  type SimulatedCarrier,
  TwilioAccount,
  type TwilioCarrier,
} from '@heyline/voice-platform'
import type { Logger } from 'pino'
import type { TwilioSettings } from '../settings/settings.js'
import type { SipSettings } from '../settings/sip-settings.js'

/** Who carries the built-in platform's phone calls, and which of its doors the server has to open. */
export interface CarrierEnd {
  carrier: Carrier
  description: string
  simulated?: SimulatedCarrier
  twilio?: TwilioCarrier
  /** Whose numbers call. */
  account?: TwilioAccount
}

export interface CarrierEndOptions {
  twilio?: TwilioSettings
  sip?: SipSettings
  db: Db
  publicUrl: string
  logger: Logger
}

export function openCarrier({ twilio: settings, sip, db, publicUrl, logger }: CarrierEndOptions): CarrierEnd {
  if (settings) {
    const twilio = createTwilioCarrier({ ...settings, db, publicUrl, logger })
    return {
      carrier: twilio,
      twilio,
      account: new TwilioAccount({ ...settings, publicUrl }),
      description: 'phone calls by Twilio',
    }
  }
  if (sip) return { carrier: createSipCarrier({ ...sip, logger }), description: 'phone calls by SIP' }
  const simulated = createSimulatedCarrier({ db, logger })
  return { carrier: simulated, simulated, description: 'simulated carrier' }
}
