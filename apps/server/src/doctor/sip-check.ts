import { systemClock } from '@heyline/kit/clock'
import { askSipServer, CarrierRefusal, namesNumber, probeOwnAddress } from '@heyline/voice-platform'
import { pino } from 'pino'
import type { SipSettings } from '../settings/sip-settings.js'
import { type Finding, fail, ok, warn } from './finding.js'

/** How long the server may take to answer, in milliseconds. */
const TIMEOUT_MS = 5_000

const silent = { clock: systemClock, logger: pino({ level: 'silent' }) }

/**
 * Opens the address of `SIP_BIND`, and asks the SIP server what it can do, which rings nobody. It asks from a port of its own, as a running
 * server may have that of `SIP_BIND`.
 */
export async function checkSip({ bind, rtpPorts: _, ...way }: SipSettings): Promise<Finding> {
  const address = way.proxy ? 'SIP_PROXY' : 'SIP_TO'
  try {
    if (bind) await probeOwnAddress({ ...bind, ...silent })
    const status = await askSipServer({
      ...way,
      host: bind?.host ?? '0.0.0.0',
      timeoutMs: TIMEOUT_MS,
      ...silent,
    })
    return findingOf(status, address, namesNumber(way.to))
  } catch (error) {
    if (!(error instanceof CarrierRefusal)) throw error
    const check = error.code === 'sip-socket' ? 'SIP_BIND' : address
    return fail(check, error.message, 'check the address and the network')
  }
}

function findingOf(status: number | undefined, address: string, isTrunk: boolean): Finding {
  if (status === undefined)
    return fail(address, 'nobody answers', 'check that it listens for SIP over UDP at this address and port')
  if (status === 401 || status === 407)
    return fail(
      'SIP_USER',
      `the SIP server does not take the account (${status})`,
      'set SIP_USER and SIP_PASSWORD as the server has them',
    )
  if (status >= 500) return fail(address, `the SIP server answers ${status}`, 'look into its log')
  if (!isTrunk && (status === 404 || status === 480))
    return warn(
      'SIP_TO',
      `the server does not reach that phone now (${status})`,
      'see whether it is registered',
    )
  return ok('CARRIER', `the SIP server answers (${status})`)
}
