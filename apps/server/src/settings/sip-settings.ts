import type { SipCarrierOptions } from '@heyline/voice-platform'
import type { Environment } from './environment.js'
import { refuseLonely, required } from './required.js'

export type SipSettings = Omit<SipCarrierOptions, 'logger' | 'clock'>

/** Throws a `SettingError` for what is missing. */
export function sipSettings(values: Environment): SipSettings | undefined {
  if (values.CARRIER !== 'sip') return undefined
  if (!values.SIP_USER) refuseLonely(values, ['SIP_PASSWORD'], 'SIP_USER')
  return {
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
