import { setImmediate as turn } from 'node:timers/promises'
import type { StandInCall } from '../../testing/stand-in-call.js'
import { openWire, shareDb } from '../../testing/twilio-bench.js'
import { describeCarrier } from '../carrier.contract.js'

const ANSWERS = '+12025550199'
const BUSY = '+12025550102'
const VOICEMAIL = '+12025550103'
const PASSES_MS = 250

shareDb()

describeCarrier('the Twilio carrier', {
  async makeCarrier() {
    const { carrier, standIn, clock, close } = await openWire()
    standIn.callees.set(ANSWERS, 'answers')
    standIn.callees.set(BUSY, 'busy')
    standIn.callees.set(VOICEMAIL, 'machine')
    const rungMs = new Map<StandInCall, number>()
    return {
      carrier,
      numbers: {
        answers: ANSWERS,
        isBusy: BUSY,
        doesNotAnswer: '+12025550101',
        isRefused: '+15005550001',
        isVoicemail: VOICEMAIL,
      },
      async pass() {
        clock.advance(PASSES_MS)
        for (const call of standIn.calls) {
          if (call.status !== 'ringing') continue
          const rung = (rungMs.get(call) ?? 0) + PASSES_MS
          rungMs.set(call, rung)
          if (rung > Number(call.form.get('Timeout')) * 1000) await call.become('no-answer')
        }
        await turn()
      },
      async calleeHangsUp(callId) {
        standIn.calls.find(({ form }) => form.get('Url')?.endsWith(callId))?.hangUp()
      },
      close,
    }
  },
})
