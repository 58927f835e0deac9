import { setImmediate as turn } from 'node:timers/promises'
import { openSipWire } from '../../testing/sip-bench.js'
import { describeCarrier } from '../carrier.contract.js'

const ANSWERS = '+12025550199'
const BUSY = '+12025550102'
const REFUSED = '+15005550001'
const PASSES_MS = 250

describeCarrier('the SIP carrier', {
  async makeCarrier() {
    const { carrier, phone, clock, close } = await openSipWire()
    phone.callees.set(ANSWERS, 'answers').set(BUSY, 486).set(REFUSED, 403)
    return {
      carrier,
      numbers: { answers: ANSWERS, isBusy: BUSY, doesNotAnswer: '+12025550101', isRefused: REFUSED },
      async pass() {
        clock.advance(PASSES_MS)
        await turn()
      },
      calleeHangsUp: async () => void phone.send('BYE'),
      close: async () => {
        await close()
      },
    }
  },
})
