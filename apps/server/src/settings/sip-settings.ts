import { DEFAULT_GATE } from '@heyline/call-desk/settings'
import { SettingError } from '@heyline/kit/setting-error'
import type { SipCarrierOptions } from '@heyline/voice-platform'
import type { Environment } from './environment.js'
import { refuseLonely, required } from './required.js'

export type SipSettings = Omit<SipCarrierOptions, 'logger' | 'clock'>

/** Throws a `SettingError` for what is missing. */
export function sipSettings(values: Environment): SipSettings | undefined {
  if (values.CARRIER !== 'sip') return undefined
  if (!values.SIP_USER) refuseLonely(values, ['SIP_PASSWORD'], 'SIP_USER')
  const inbound = inboundOf(values)
  return {
    ...(inbound && { inbound }),
    ...(values.SIP_NUMBER && { number: values.SIP_NUMBER }),
    // Calls to us hold half of the places at most.
    ...(inbound && {
      places: Math.floor((values.CALL_LIMIT_CONCURRENT ?? DEFAULT_GATE.concurrent ?? 0) / 2),
    }),
    to: required(values, 'SIP_TO', 'CARRIER=sip'),
    ...(values.SIP_FROM && { from: values.SIP_FROM }),
    ...(values.SIP_PROXY && { proxy: values.SIP_PROXY }),
    ...(values.SIP_USER && {
      account: { user: values.SIP_USER, password: required(values, 'SIP_PASSWORD', 'SIP_USER') },
    }),
    bind: values.SIP_BIND,
    rtpPorts: values.SIP_RTP_PORTS,
  }
}

/** Throws a `SettingError` where nobody could reach us. */
function inboundOf(values: Environment): SipSettings['inbound'] {
  const { SIP_INBOUND: inbound, SIP_BIND: bind } = values
  if (inbound === 'off') {
    refuseLonely(values, ['SIP_NUMBER'], 'SIP_INBOUND')
    return undefined
  }
  if (inbound === 'register') required(values, 'SIP_USER', 'SIP_INBOUND=register')
  else if (bind.port === 0)
    throw new SettingError('SIP_BIND', 'needs a port with SIP_INBOUND=trunk, such as 0.0.0.0:5060')
  return inbound
}
