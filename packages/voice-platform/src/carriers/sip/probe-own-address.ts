import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { CarrierRefusal } from '../carrier.js'
import { openOwnAddress } from './own-address.js'
import { SipAgent } from './sip-agent.js'

export interface OwnAddressProbe {
  /** An IP address of this machine. */
  host: string
  port: number
  clock: Clock
  logger: Logger
}

/**
 * Opens our address for a moment, and closes it. Resolves also where it is taken, as by a server that runs. Rejects with a `CarrierRefusal` where
 * no server could open it.
 */
export async function probeOwnAddress(options: OwnAddressProbe): Promise<void> {
  const agent = new SipAgent(options)
  try {
    await openOwnAddress(agent)
  } catch (error) {
    if (!(error instanceof CarrierRefusal && error.mayPass)) throw error
  } finally {
    await agent.close()
  }
}
