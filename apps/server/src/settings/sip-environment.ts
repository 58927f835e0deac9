import { z } from 'zod'
import { setting } from './setting.js'
import { bindAddress, hostPort, portRange, sipCaller, sipTemplate } from './sip-values.js'
import { phoneNumber, secret } from './value.js'

/** What `CARRIER=sip` reads: `docs/sip.md`. */
export const sipEnvironment = {
  SIP_TO: setting(sipTemplate, {
    meaning:
      'Needed with `CARRIER=sip`: the address that rings. `{number}` stands for the number with its `+`, `{digits}` for it without. An address without them is one phone, which rings whatever number was asked for.',
    examples: ['a trunk: `sip:{number}@pbx.example`', 'a desk phone: `sip:192.0.2.10`'],
  }),
  SIP_FROM: setting(sipCaller, {
    meaning:
      'Who calls, with the same words for the number that calls. Without a value: `SIP_USER`, or `heyline`, at the host of `SIP_TO`.',
    examples: ['`"Heyline" <sip:{number}@pbx.example>`'],
  }),
  SIP_PROXY: setting(hostPort, {
    meaning: 'Where everything is sent: a host, or a host and a port. Without a value: the host of `SIP_TO`.',
  }),
  SIP_USER: setting(secret(1), { meaning: 'The account, where the server asks for one.' }),
  SIP_PASSWORD: setting(secret(1), {
    meaning: 'Needed with `SIP_USER`. It is never sent: the server gets a digest of it (MD5 or SHA-256).',
  }),
  SIP_INBOUND: setting(
    z.enum(['off', 'trunk', 'register'], { error: 'is none of off, trunk and register' }),
    {
      default: 'off',
      meaning:
        'Who may call us. `trunk`: the server of `SIP_PROXY`, or of `SIP_TO`, sends us calls at the port of `SIP_BIND`. `register`: the same, and we register at that server as `SIP_USER`. Whatever comes from other addresses is refused.',
    },
  ),
  SIP_NUMBER: setting(phoneNumber, {
    meaning: 'The number of ours that is called where a call names none, as one to an extension does.',
  }),
  SIP_BIND: setting(bindAddress, {
    default: '0.0.0.0',
    meaning:
      'The address of this machine for SIP and its audio, over UDP. Without a port, SIP takes one that is free. `SIP_INBOUND=trunk` needs one.',
    examples: ['behind a firewall: `0.0.0.0:5060`'],
  }),
  SIP_RTP_PORTS: setting(portRange, {
    default: '16384-17383',
    meaning: 'UDP ports for the audio. Each call takes an even one.',
  }),
}
