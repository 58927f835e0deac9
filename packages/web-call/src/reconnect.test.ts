import { describe, expect, it } from 'vitest'
import { CALL, CallHarness, NORMAL_START } from './testing/call-harness.js'

const STARTED_AGAIN = [
  'initialization started',
  'web-call-creation completed',
  ...NORMAL_START.slice(3, 9),
  'call-start',
  ...NORMAL_START.slice(9),
]

describe('a call that is joined again', () => {
  it('is not created, and has started with its join', async () => {
    const harness = new CallHarness()
    const call = { ...CALL, assistantId: 'assistant-1' }
    await expect(harness.client.reconnect(call)).resolves.toBe(call)
    expect(harness.requests).toEqual([])
    expect(harness.story).toEqual(STARTED_AGAIN)
    expect(
      harness
        .payloads('call-start-progress')
        .map(([{ metadata }]) => metadata)
        .slice(0, 2),
    ).toEqual([{ hasAssistant: true, hasSquad: false, hasWorkflow: false }, { action: 'skipped-rejoin' }])
    expect(harness.room.asked[0]).toEqual([
      'join',
      { url: CALL.webCallUrl, subscribeToTracksAutomatically: false },
    ])
    harness.room.hear('listening')
    expect(harness.clock.pending).toBe(0)
    expect(harness.story).toEqual(STARTED_AGAIN)
    await harness.client.stop()
    expect(harness.story.slice(-2)).toEqual(['call-end', 'message status-update'])
    harness.expectNothingLeft()
  })

  it('keeps what the call is, and lets its recording run on', async () => {
    const harness = new CallHarness()
    await harness.client.reconnect({ ...CALL, artifactPlan: { videoRecordingEnabled: true }, squadId: 's' })
    expect(harness.made[0]?.[1]).toMatchObject({ videoSource: true })
    expect(harness.payloads('call-start-progress')[0]?.[0].metadata).toMatchObject({ hasSquad: true })
    const skipped = harness
      .payloads('call-start-progress')
      .find(([{ stage }]) => stage === 'video-recording-setup')
    expect(skipped?.[0].metadata).toEqual({ action: 'skipped-rejoin' })
    harness.room.emit('recording-started', {})
    expect([harness.room.wasAsked('startRecording'), harness.room.sent]).toEqual([false, []])
  })

  it('needs a room', async () => {
    const harness = new CallHarness()
    await expect(harness.client.reconnect({ id: 'call-1' })).rejects.toMatchObject({
      code: 'no-room-address',
    })
    expect(harness.story).toEqual(['error validation-error'])
    expect(harness.rooms).toEqual([])
  })

  it('is not joined while another runs, nor once it was aborted', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.forget()
    await expect(harness.client.reconnect(CALL)).resolves.toBeNull()
    expect(harness.story).toEqual(['validation failed'])
    const other = new CallHarness()
    await expect(other.client.reconnect(CALL, { signal: AbortSignal.abort() })).resolves.toBeNull()
    expect(other.told).toEqual([])
  })

  it('fails as a start does when its room is gone', async () => {
    const harness = new CallHarness({
      scripts: [{ join: async (room) => room.fail('no-room', 'No such room') }],
    })
    await expect(harness.client.reconnect(CALL)).resolves.toBeNull()
    expect(harness.story.slice(-4)).toEqual([
      'daily-call-join failed',
      'error daily-call-join-error',
      'call-start-failed',
      'error start-method-error',
    ])
    harness.expectNothingLeft()
  })
})

it.each(['{}', '{"webCallUrl": 7}', 'null'])(
  'a call without the address of a room is refused: %s',
  async (text) => {
    const harness = new CallHarness()
    await expect(harness.client.reconnect(JSON.parse(text))).rejects.toThrow(/webCallUrl/)
    expect(harness.story).toEqual(['error validation-error'])
  },
)

describe('the address to join again', () => {
  it('is the call’s own where the room has no other', async () => {
    const harness = new CallHarness()
    expect(harness.client.rejoinUrl).toBeUndefined()
    await harness.start()
    expect(harness.client.rejoinUrl).toBe(CALL.webCallUrl)
    await harness.client.stop()
    expect(harness.client.rejoinUrl).toBeUndefined()
  })

  it('is what the room says at the time, or none', async () => {
    const addresses = ['wss://room?resume=1', 'wss://room?resume=2', undefined]
    const harness = new CallHarness({ scripts: [{ meetingAddress: () => addresses.shift() }] })
    await harness.start()
    expect([harness.client.rejoinUrl, harness.client.rejoinUrl, harness.client.rejoinUrl]).toEqual([
      'wss://room?resume=1',
      'wss://room?resume=2',
      undefined,
    ])
  })

  it('is none while the room is being joined', async () => {
    const harness = new CallHarness({ scripts: [{ join: () => new Promise(() => {}) }] })
    void harness.client.start({ assistant: 'a' })
    await expect.poll(() => harness.story.at(-1)).toBe('daily-call-join started')
    expect(harness.client.rejoinUrl).toBeUndefined()
    await harness.client.stop()
  })
})
