import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SipPhone } from '../../../../packages/voice-platform/src/testing/sip-phone.js'
import { readSettings } from '../settings/settings.js'
import { checkSip } from './sip-check.js'

let phone: SipPhone
beforeAll(async () => {
  phone = new SipPhone()
  await phone.listen()
})
afterAll(() => phone.close())

async function found(bind: string) {
  const { sip } = readSettings({
    ...{ CARRIER: 'sip', COMPANY_NAME: 'Example' },
    ...{ SIP_TO: `sip:{number}@127.0.0.1:${phone.port}`, SIP_BIND: bind },
  })
  if (!sip) throw new Error('There are no settings of SIP.')
  return await checkSip(sip)
}

it('finds nothing wrong with a port that is free, nor with one that a running server has', async () => {
  const taken = createSocket('udp4')
  taken.bind(0, '127.0.0.1')
  await once(taken, 'listening')
  const bind = `127.0.0.1:${taken.address().port}`
  const answers = { check: 'CARRIER', status: 'ok' }
  expect(await found(bind)).toMatchObject(answers)
  taken.close()
  await once(taken, 'close')
  expect(await found(bind)).toMatchObject(answers)
})

it('names an address that is not of this machine', async () => {
  expect(await found('192.0.2.1:5060')).toMatchObject({
    ...{ check: 'SIP_BIND', status: 'fail' },
    message: expect.stringContaining('is not of this machine'),
  })
})
