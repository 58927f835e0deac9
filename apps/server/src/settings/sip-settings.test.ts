import { SettingError } from '@heyline/kit/setting-error'
import { describe, expect, it } from 'vitest'
import { readSettings } from './settings.js'

const SIP = { CARRIER: 'sip', SIP_TO: 'sip:{number}@pbx.example' }

function refusal(env: NodeJS.ProcessEnv): string {
  try {
    readSettings(env)
  } catch (error) {
    if (error instanceof SettingError) return error.message
    throw error
  }
  return 'accepted'
}

describe('the settings of SIP', () => {
  it('need only who is rung', () => {
    expect(readSettings(SIP).sip).toEqual({
      to: 'sip:{number}@pbx.example',
      bind: { host: '0.0.0.0', port: 0 },
      rtpPorts: { from: 16_384, to: 17_383 },
    })
    expect(readSettings({ SIP_TO: SIP.SIP_TO }).sip).toBeUndefined()
  })

  it('name a proxy, an account and ports', () => {
    const { sip } = readSettings({
      ...SIP,
      SIP_FROM: '"Heyline" <sip:{digits}@pbx.example>',
      SIP_PROXY: 'proxy.example:5070',
      SIP_USER: 'heyline',
      SIP_PASSWORD: 'secret',
      SIP_BIND: '[::1]:5061',
      SIP_RTP_PORTS: '20000-20099',
    })
    expect(sip).toMatchObject({
      from: '"Heyline" <sip:{digits}@pbx.example>',
      proxy: { host: 'proxy.example', port: 5070 },
      account: { user: 'heyline', password: 'secret' },
      bind: { host: '::1', port: 5061 },
      rtpPorts: { from: 20_000, to: 20_099 },
    })
  })

  it('place real calls, behind all guards', () => {
    expect(readSettings({ ...SIP, COMPANY_NAME: 'Acme' }).calls.gate.mode).toBe('full')
    expect(refusal({ ...SIP, CALL_GATE: 'simulated' })).toMatch(/^CALL_GATE: /)
  })

  it('say who may call us', () => {
    const inbound = { ...SIP, SIP_INBOUND: 'trunk', SIP_BIND: '0.0.0.0:5060', SIP_NUMBER: '+14155552671' }
    expect(readSettings(inbound).sip).toMatchObject({ inbound: 'trunk', number: '+14155552671' })
    const registers = { ...SIP, SIP_INBOUND: 'register', SIP_USER: 'a', SIP_PASSWORD: 'b' }
    expect(readSettings(registers).sip).toMatchObject({ inbound: 'register', bind: { port: 0 } })
  })

  it.each([
    [{ CARRIER: 'sip' }, 'SIP_TO: is needed with CARRIER=sip'],
    [
      { SIP_TO: 'desk' },
      'SIP_TO: "desk" is not a sip: address like sip:{number}@pbx.example or sip:desk@192.0.2.10',
    ],
    [
      { SIP_FROM: 'Heyline' },
      'SIP_FROM: "Heyline" is not a caller like sip:heyline@pbx.example or "Heyline" <sip:{number}@pbx.example>',
    ],
    [{ SIP_PROXY: 'sip:pbx' }, 'SIP_PROXY: "sip:pbx" is neither a host nor like pbx.example:5060'],
    [{ SIP_PROXY: 'pbx:0' }, 'SIP_PROXY: "pbx:0" is neither a host nor like pbx.example:5060'],
    [{ SIP_BIND: 'eth0' }, 'SIP_BIND: "eth0" is no IP address of this machine, with or without a port'],
    [
      { SIP_RTP_PORTS: '5004' },
      'SIP_RTP_PORTS: "5004" is not a range of ports like 16384-17383 (1024 to 65535)',
    ],
    [
      { SIP_RTP_PORTS: '20001-20001' },
      'SIP_RTP_PORTS: "20001-20001" is not a range of ports like 16384-17383 (1024 to 65535)',
    ],
    [{ SIP_INBOUND: 'on' }, 'SIP_INBOUND: "on" is none of off, trunk and register'],
    [{ ...SIP, SIP_INBOUND: 'trunk' }, 'SIP_BIND: needs a port with SIP_INBOUND=trunk, such as 0.0.0.0:5060'],
    [{ ...SIP, SIP_INBOUND: 'register' }, 'SIP_USER: is needed with SIP_INBOUND=register'],
    [
      { ...SIP, SIP_NUMBER: '+14155552671' },
      'SIP_NUMBER: has no effect without SIP_INBOUND: set that too, or unset this',
    ],
    [{ ...SIP, SIP_USER: 'a' }, 'SIP_PASSWORD: is needed with SIP_USER'],
    [
      { ...SIP, SIP_PASSWORD: 'a' },
      'SIP_PASSWORD: has no effect without SIP_USER: set that too, or unset this',
    ],
    [{ ...SIP, SIP_USER: 'a', SIP_PASSWORD: 'a b' }, 'SIP_PASSWORD: the value holds a space'],
  ])('name what is wrong with %j', (env, message) => {
    expect(refusal(env)).toBe(message)
  })
})
