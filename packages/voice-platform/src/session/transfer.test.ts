import { describe, expect, it, vi } from 'vitest'
import { dtmfTones } from '../audio/dtmf-tones.js'
import { ScriptedLink } from '../testing/scripted-link.js'
import { settled, silence, startTestSession, vowel } from '../testing/session-bench.js'
import type { BridgeCall, TransferOutcome } from './bridge-call.js'
import type { SessionTool } from './session-tool.js'
import { ANNOUNCEMENT, BACK, callYourself, MOST_TRANSFERS, NOT_AGAIN, NOT_TRANSFERRED } from './transfer.js'

const SALES = '+12025550142'
const tools: SessionTool[] = [
  { type: 'transferCall', name: 'transferCall', destinations: [{ number: SALES }] },
  { type: 'dtmf', name: 'dtmf' },
]
const asks = (name: string, args: Record<string, unknown>) => ({ uses: [[{ name, arguments: args }]] })
const TRANSFER = asks('transferCall', { destination: SALES })

/** A call whose model uses a tool in its first reply. */
async function call(script: object = TRANSFER, bridge?: BridgeCall, assistant: object = {}) {
  const bench = startTestSession(
    { modelSpeaksFirst: true, tools, ...assistant },
    script,
    true,
    undefined,
    bridge,
  )
  await settled()
  const notes = () =>
    bench.session
      .messages()
      .filter(({ role }) => role === 'system')
      .map(({ message }) => message)
  const lastSaid = () => bench.session.messages().findLast(({ role }) => role === 'bot')?.message
  return { ...bench, notes, lastSaid }
}
const answering = (outcome: TransferOutcome) => vi.fn<BridgeCall>(async () => outcome)

describe('a transfer that the model asks for', () => {
  it('is announced, and bridged for the time that is left', async () => {
    const bridge = answering('bridged')
    const { transcripts, link, clock, notes } = await call(TRANSFER, bridge)
    expect(transcripts()).toEqual(['assistant: Very well.', `assistant: ${ANNOUNCEMENT}`])
    expect(bridge).toHaveBeenCalledExactlyOnceWith({ number: SALES }, 600)
    expect(link.eventsOf('transfer-update')).toMatchObject([
      { destination: { type: 'number', number: SALES } },
    ])
    expect(notes()).toEqual([`The call was transferred to ${SALES}.`])
    expect(clock.now()).toBeLessThan(1)
  })

  it('goes on without us until the carrier tells that it is over', async () => {
    const { session, link, clock } = await call(TRANSFER, answering('bridged'))
    link.leave('left')
    clock.advance(300_000)
    await settled()
    expect(link.eventsOf('status-update')).toHaveLength(1)
    session.end('customer-ended-call')
    await settled()
    clock.advance(1_000)
    expect((await session.ended).endedReason).toBe('assistant-forwarded-call')
  })

  it('ends when the time of the call is up', async () => {
    const { session, link, clock } = await call(TRANSFER, answering('bridged'))
    link.leave('left')
    clock.advance(600_000)
    await settled()
    clock.advance(1_000)
    expect((await session.ended).endedReason).toBe('exceeded-max-duration')
  })

  it('hears where to call, where nothing can be bridged', async () => {
    const { transcripts } = await call()
    expect(transcripts().at(-1)).toBe(`assistant: ${callYourself(SALES)}`)
    expect(callYourself(SALES)).toContain('plus 1 2 0 2 5 5 5 0 1 4 2.')
  })

  it.each<TransferOutcome>(['refused', 'failed'])(
    'that is %s goes on, and the caller hears so',
    async (outcome) => {
      const { transcripts, session, notes, link } = await call(TRANSFER, answering(outcome))
      expect(transcripts().at(-1)).toBe(`assistant: ${NOT_TRANSFERRED}`)
      expect(notes()).toEqual([
        `The transfer to ${SALES} was ${outcome === 'failed' ? 'not made' : 'refused'}.`,
      ])
      expect(link.log).not.toContain('close:customer-ended-call')
      session.end('assistant-ended-call')
    },
  )

  it('that fails after the caller has gone ends the call', async () => {
    let answer: (outcome: TransferOutcome) => void = () => {}
    const bridge = () =>
      new Promise<TransferOutcome>((resolve) => {
        answer = resolve
      })
    const { session, link, clock } = await call(TRANSFER, bridge)
    link.leave('left')
    await settled()
    answer('failed')
    await settled()
    clock.advance(1_000)
    expect((await session.ended).endedReason).toBe('customer-ended-call')
  })

  describe('that nobody answers', () => {
    it('comes back: the assistant says so, and the conversation goes on over the new link', async () => {
      const bridge = answering('bridged')
      const { session, link, notes, clock, engines, lastSaid } = await call(TRANSFER, bridge)
      link.leave('left')
      clock.advance(30_000)
      const back = new ScriptedLink()
      session.backFromTransfer(back, 'no-answer')
      await settled()
      expect(back.log).toContain('open')
      expect(lastSaid()).toBe(BACK['no-answer'])
      expect(back.sent).not.toEqual([])
      expect(notes()).toEqual([
        `The call was transferred to ${SALES}.`,
        `The transfer to ${SALES} came to nothing: nobody answered. The caller is back.`,
      ])
      for (const kind of [vowel(400), silence(1_600)])
        for (let at = 0; at < kind.length; at += 320) {
          clock.advance(20)
          back.handlers.onAudio(kind.subarray(at, at + 320))
        }
      await settled()
      // The model reads what became of the transfer.
      expect(JSON.stringify(engines.asked.at(-1)?.messages)).toContain('The caller is back.')
      back.leave('left')
      await settled()
      clock.advance(1_000)
      expect((await session.ended).endedReason).toBe('customer-ended-call')
    })

    it.each(['busy', 'no-answer', 'failed'] as const)('hears why: %s', async (why) => {
      const { session, lastSaid } = await call(TRANSFER, answering('bridged'))
      session.backFromTransfer(new ScriptedLink(), why)
      await settled()
      const words = { busy: 'the line is busy', 'no-answer': 'nobody answered', failed: 'could not reach' }
      expect(lastSaid()).toContain(words[why])
      session.end('assistant-ended-call')
    })

    it('hears nothing of an assistant that was muted', async () => {
      let bridged: (outcome: TransferOutcome) => void = () => {}
      const bridge = () =>
        new Promise<TransferOutcome>((resolve) => {
          bridged = resolve
        })
      const { session, link, lastSaid } = await call(TRANSFER, bridge)
      link.handlers.onMessage({ type: 'control', control: 'mute-assistant' })
      bridged('bridged')
      await settled()
      session.backFromTransfer(new ScriptedLink(), 'busy')
      await settled()
      expect(lastSaid()).toBe(ANNOUNCEMENT)
      session.end('assistant-ended-call')
    })

    it('can be tried again, and is quiet for too long as any call', async () => {
      const bridge = answering('bridged')
      const { session, clock } = await call(TRANSFER, bridge)
      const back = new ScriptedLink()
      session.backFromTransfer(back, 'busy')
      await settled()
      session.transfer({ number: '+12025550199' })
      await settled()
      expect(bridge).toHaveBeenCalledTimes(2)
      session.backFromTransfer(new ScriptedLink(), 'failed')
      await settled()
      clock.advance(31_000)
      await settled()
      clock.advance(1_000)
      expect((await session.ended).endedReason).toBe('silence-timed-out')
    })

    it('is tried three times at most, then the caller hears that it is not', async () => {
      const bridge = answering('bridged')
      const { session, lastSaid, notes } = await call({}, bridge)
      for (let time = 0; time <= MOST_TRANSFERS; time++) {
        session.transfer({ number: SALES })
        await settled()
        if (time < MOST_TRANSFERS) session.backFromTransfer(new ScriptedLink(), 'busy')
        await settled()
      }
      expect(bridge).toHaveBeenCalledTimes(3)
      expect(lastSaid()).toBe(NOT_AGAIN)
      expect(notes().at(-1)).toContain(`The transfer to ${SALES} was refused`)
      session.end('assistant-ended-call')
    })

    it('may be back before the carrier has said that it has the call', async () => {
      let answer: (outcome: TransferOutcome) => void = () => {}
      const bridge = () =>
        new Promise<TransferOutcome>((resolve) => {
          answer = resolve
        })
      const { session, lastSaid, link } = await call(TRANSFER, bridge)
      link.leave('left')
      const back = new ScriptedLink()
      session.backFromTransfer(back, 'busy')
      answer('failed')
      await settled()
      expect(lastSaid()).toBe(BACK.busy)
      expect(back.log).toContain('open')
    })

    it('finds nobody where the call is over, or was never handed over', async () => {
      const { session, clock } = await call({}, answering('bridged'))
      const stray = new ScriptedLink()
      session.backFromTransfer(stray, 'busy')
      expect(stray.log).toEqual(['close:assistant-forwarded-call'])
      session.end('assistant-ended-call')
      await settled()
      clock.advance(1_000)
      const late = new ScriptedLink()
      session.backFromTransfer(late, 'busy')
      expect(late.log).toEqual(['close:assistant-forwarded-call'])
    })
  })

  it('never goes to a number that the model made up', async () => {
    const bridge = answering('bridged')
    const { transcripts, notes } = await call(asks('transferCall', { destination: '+19005550000' }), bridge)
    expect(bridge).not.toHaveBeenCalled()
    expect(transcripts()).toEqual(['assistant: Very well.'])
    expect(notes()[0]).toContain('none of the destinations')
  })

  it('has no words of its own where its message is empty, and needs none of the model', async () => {
    const bridge = answering('bridged')
    const silent = [
      { type: 'transferCall', name: 'transferCall', destinations: [{ number: SALES, message: '' }] },
    ]
    const { transcripts } = await call({ ...TRANSFER, replies: [[]] }, bridge, { tools: silent })
    expect(transcripts()).toEqual([])
    expect(bridge).toHaveBeenCalledOnce()
  })
})

it('only the operator names other numbers: a message of the client does not', async () => {
  const bridge = answering('bridged')
  const { session, link } = await call({}, bridge)
  link.handlers.onMessage({ type: 'transfer', destination: { type: 'number', number: SALES } })
  await settled()
  expect(bridge).not.toHaveBeenCalled()
  session.transfer({ number: '+12025550199' })
  session.transfer({ number: '+12025550198' })
  await settled()
  expect(bridge).toHaveBeenCalledExactlyOnceWith({ number: '+12025550199' }, 600)
})

it('keys that the model presses go out as tones', async () => {
  const { link, notes } = await call(asks('dtmf', { dtmf: '12#' }))
  expect(link.sent.at(-1)).toEqual(dtmfTones('12#'))
  expect(notes()).toEqual(['The assistant pressed 12#.'])
})
