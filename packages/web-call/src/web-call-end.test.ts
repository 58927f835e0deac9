import { describe, expect, it, vi } from 'vitest'
import { CALL, CallHarness } from './testing/call-harness.js'

const ENDED = { type: 'status-update', status: 'ended', endedReason: 'customer-ended-call' }

describe('a call', () => {
  it('that the person stops tells its end, then why, and leaves nothing', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.room.hear('listening')
    harness.forget()
    await harness.client.stop()
    expect(harness.told).toEqual([['call-end'], ['message', ENDED]])
    harness.expectNothingLeft()
  })

  it('that the other side ends tells the same once', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.forget()
    harness.room.end()
    await harness.client.stop()
    expect(harness.told).toEqual([['call-end'], ['message', ENDED]])
    harness.expectNothingLeft()
  })

  it('of which the platform told the end adds no reason of its own', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.forget()
    const ended = { type: 'status-update', status: 'ended', endedReason: 'silence-timed-out' }
    harness.room.hear(ended)
    harness.room.end()
    expect(harness.told).toEqual([['message', ended], ['call-end']])
  })

  it('takes the reason that its room knows', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.forget()
    harness.room.end('exceeded-max-duration')
    expect(harness.payloads('message')).toEqual([[{ ...ENDED, endedReason: 'exceeded-max-duration' }]])
  })

  it('that loses its room tells the error, then the end', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.forget()
    harness.room.fail('connection-error', 'Gone')
    await vi.waitFor(() => harness.expectNothingLeft())
    expect(harness.story).toEqual(['error connection-error', 'call-end', 'message status-update'])
    expect(harness.payloads('error')[0]?.[0]).toMatchObject({ stage: 'call', message: 'Gone' })
  })

  it.each([
    ['after the platform told the end', 'You were removed', true],
    ['because the meeting is over', 'Meeting has ended', false],
  ])('is no error when its room puts everybody out %s (defect 30)', async (_name, text, isTold) => {
    const harness = new CallHarness()
    await harness.start()
    if (isTold) harness.room.hear({ ...ENDED, endedReason: 'assistant-ended-call' })
    harness.forget()
    harness.room.fail('ejected', text)
    expect(harness.payloads('error')).toEqual([])
    expect(harness.story[0]).toBe('call-end')
  })

  it('is no error when its room drops everybody after the platform told the end', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.room.hear({ ...ENDED, endedReason: 'assistant-ended-call' })
    harness.forget()
    harness.room.fail('connection-error', 'Gone')
    expect(harness.story).toEqual(['call-end'])
  })

  it('is an error when its room expires, whatever the platform told', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.room.hear(ENDED)
    harness.room.fail('exp-room', 'Expired')
    expect(harness.payloads('error')).toMatchObject([[{ type: 'exp-room' }]])
  })

  const ENDS: Record<string, (harness: CallHarness) => unknown> = {
    'the person stops it': ({ client }) => client.stop(),
    'the other side ends it': ({ room }) => room.end(),
    'its room fails': ({ room }) => room.fail('connection-error', 'Gone'),
    'the assistant does not listen': ({ clock }) => clock.advance(30_000),
  }
  const RECORDED = { answer: () => Response.json({ ...CALL, artifactPlan: { videoRecordingEnabled: true } }) }

  it.each(Object.entries(ENDS))('that is recorded is recorded no longer when %s', async (_name, end) => {
    const harness = new CallHarness(RECORDED)
    await harness.start()
    await end(harness)
    await vi.waitFor(() => harness.expectNothingLeft())
    expect(harness.room.asked.slice(-2)).toEqual([['stopRecording'], ['destroy']])
  })

  it('that is recorded is recorded until its end is told (spec 4)', async () => {
    const harness = new CallHarness(RECORDED)
    await harness.start()
    const wasStopped: boolean[] = []
    const note = () => wasStopped.push(harness.room.wasAsked('stopRecording'))
    harness.client.on('call-end', note).on('message', note)
    harness.room.end()
    expect(wasStopped).toEqual([false, false])
    expect(harness.room.wasAsked('stopRecording')).toBe(true)
  })

  it('ends although its recording cannot be stopped', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const stopRecording = () => {
      throw new Error('no disk')
    }
    const harness = new CallHarness({ ...RECORDED, scripts: [{ stopRecording }] })
    await harness.start()
    harness.room.end()
    await vi.waitFor(() => harness.expectNothingLeft())
    expect(harness.story.slice(-2)).toEqual(['call-end', 'message status-update'])
    expect(warned).toHaveBeenCalledTimes(1)
    warned.mockRestore()
  })

  it('is an error when somebody is put out of it', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.room.fail('ejected', 'You were removed')
    expect(harness.payloads('error')).toMatchObject([[{ type: 'ejected' }]])
  })

  it('ends a speech before itself, and nothing comes after (defect 8)', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.room.level(0.2)
    harness.forget()
    await harness.client.stop()
    harness.clock.advance(2000)
    expect(harness.story).toEqual(['speech-end', 'call-end', 'message status-update'])
  })

  it('ends although a room does not let itself be destroyed', async () => {
    const harness = new CallHarness({ scripts: [{ destroy: () => new Promise(() => {}) }] })
    await harness.start()
    const stopped = harness.client.stop()
    expect(harness.story.at(-2)).toBe('call-end')
    harness.clock.advance(3000)
    await stopped
  })

  it('ends when the assistant does not listen in time (defect 25)', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.forget()
    harness.clock.advance(29_999)
    expect(harness.told).toEqual([])
    harness.clock.advance(1)
    expect(harness.story).toEqual(['error listening-timeout', 'call-end', 'message status-update'])
    expect(harness.payloads('error')[0]?.[0]).toMatchObject({ stage: 'call', message: /in time/ })
    await vi.waitFor(() => harness.expectNothingLeft())
  })

  it.each([
    [5000, 5000],
    [false, 0],
    [0, 0],
    [Number.POSITIVE_INFINITY, 0],
  ] as const)('waits %s milliseconds for the assistant where it is told so', async (given, wait) => {
    const harness = new CallHarness({ listeningTimeoutMs: given })
    await harness.start()
    harness.forget()
    expect(harness.clock.pending).toBe(wait ? 1 : 0)
    harness.clock.advance(wait)
    expect(harness.story.includes('error listening-timeout')).toBe(wait > 0)
  })

  it('waits no longer once the assistant listens', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.room.hear('listening')
    expect(harness.clock.pending).toBe(0)
  })

  it.each(['stop', 'end'] as const)('tells its end before it lets go of its room: %s', async (who) => {
    const harness = new CallHarness()
    await harness.start()
    const isLetGo: boolean[] = []
    harness.client.on('call-end', () => isLetGo.push(harness.room.wasAsked('destroy')))
    harness.client.on('message', () => isLetGo.push(harness.room.wasAsked('destroy')))
    if (who === 'stop') await harness.client.stop()
    else harness.room.end()
    expect(isLetGo).toEqual([false, false])
    await vi.waitFor(() => harness.expectNothingLeft())
  })

  it('can be stopped in every event of its own end', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.client.on('error', () => void harness.client.stop())
    harness.client.on('call-end', () => void harness.client.stop())
    harness.forget()
    harness.room.fail('connection-error', 'Gone')
    await vi.waitFor(() => harness.expectNothingLeft())
    expect(harness.story.filter((told) => told === 'call-end')).toEqual(['call-end'])
  })
})
