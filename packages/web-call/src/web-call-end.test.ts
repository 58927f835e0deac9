import { describe, expect, it, vi } from 'vitest'
import { CALL, CallHarness, NORMAL_START } from './testing/call-harness.js'
import { type RoomScript, ScriptedRoom } from './testing/scripted-room.js'

const ENDED = { type: 'status-update', status: 'ended', endedReason: 'customer-ended-call' }

/** A wait that the test ends. */
function gate(): { wait: Promise<void>; open(): void } {
  let open = () => {}
  const wait = new Promise<void>((resolve) => {
    open = resolve
  })
  return { wait, open }
}

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
  ])('is no error when its room puts everybody out %s', async (_name, text, isTold) => {
    const harness = new CallHarness()
    await harness.start()
    if (isTold) harness.room.hear({ ...ENDED, endedReason: 'assistant-ended-call' })
    harness.forget()
    harness.room.fail('ejected', text)
    expect(harness.payloads('error')).toEqual([])
    expect(harness.story[0]).toBe('call-end')
  })

  it('is an error when somebody is put out of it', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.room.fail('ejected', 'You were removed')
    expect(harness.payloads('error')).toMatchObject([[{ type: 'ejected' }]])
  })

  it('ends a speech before itself, and nothing comes after', async () => {
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

describe('a start that is stopped', () => {
  /** Stops as soon as the story has come to this, and expects the start to settle with nothing told. */
  async function stopsAt(point: string, script: RoomScript, answer?: () => Promise<Response>) {
    const harness = new CallHarness({ scripts: [script], ...(answer && { answer }) })
    const started = harness.client.start({ assistant: 'a' })
    await vi.waitFor(() => expect(harness.story.at(-1)).toBe(point))
    const before = harness.story.length
    const stopped = harness.client.stop()
    await expect(started).resolves.toBeNull()
    await stopped
    return { harness, after: harness.story.slice(before) }
  }
  const never = () => new Promise<never>(() => {})

  it('while the call is created: aborts the request and makes no room', async () => {
    const { harness, after } = await stopsAt('web-call-creation started', {}, never)
    expect(harness.requests[0]?.signal?.aborted).toBe(true)
    expect([harness.rooms, after]).toEqual([[], []])
  })

  it('while the room is made: destroys the room that comes too late', async () => {
    const late = gate()
    const room = new ScriptedRoom()
    const createRoom = async () => {
      await late.wait
      return room
    }
    const harness = new CallHarness({ createRoom })
    const started = harness.client.start({ assistant: 'a' })
    await vi.waitFor(() => expect(harness.story.at(-1)).toBe('daily-call-object-creation started'))
    await harness.client.stop()
    await expect(started).resolves.toBeNull()
    late.open()
    await vi.waitFor(() => expect(room.asked).toEqual([['destroy']]))
    expect(harness.story.at(-1)).toBe('daily-call-object-creation started')
  })

  it('while the room is joined: tells neither error nor end', async () => {
    const { harness, after } = await stopsAt('daily-call-join started', { join: never })
    expect(after).toEqual([])
    harness.expectNothingLeft()
  })

  it('while a mobile device waits', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Android' })
    const { harness, after } = await stopsAt('mobile-permissions started', {})
    vi.unstubAllGlobals()
    expect(after).toEqual([])
    expect(harness.room.wasAsked('join')).toBe(false)
    harness.expectNothingLeft()
  })

  it('once it has joined: tells the end of the call, which had begun', async () => {
    const { harness, after } = await stopsAt('audio-processing-setup started', { updateInputSettings: never })
    expect(after).toEqual(['call-end', 'message status-update'])
    harness.expectNothingLeft()
  })

  it.each([
    'initialization started',
    'web-call-creation completed',
    'daily-call-object-creation started',
    'daily-call-object-creation completed',
    'daily-call-join started',
  ])('by a listener that hears “%s”: joins nothing', async (point) => {
    const harness = new CallHarness()
    harness.client.on('call-start-progress', ({ stage, status }) => {
      if (`${stage} ${status}` === point) void harness.client.stop()
    })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story.at(-1)).toBe(point)
    expect(harness.rooms.some((room) => room.wasAsked('join'))).toBe(false)
    harness.expectNothingLeft()
  })

  it('by its signal', async () => {
    const abort = new AbortController()
    const harness = new CallHarness({ answer: never })
    const started = harness.client.start({ assistant: 'a' }, { signal: abort.signal })
    await vi.waitFor(() => expect(harness.requests).toHaveLength(1))
    abort.abort()
    await expect(started).resolves.toBeNull()
    await expect(harness.client.start({ assistant: 'a' }, { signal: abort.signal })).resolves.toBeNull()
    expect(harness.payloads('error')).toEqual([])
    expect(harness.requests).toHaveLength(1)
  })

  it('by the other side, which leaves at once', async () => {
    const script: RoomScript = {
      async observeLevels() {
        harness.room.end()
      },
    }
    const harness: CallHarness = new CallHarness({ scripts: [script] })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story.slice(-2)).toEqual(['call-end', 'message status-update'])
    await vi.waitFor(() => harness.expectNothingLeft())
  })
})

describe('start, stop, start', () => {
  it('waits until the first room is gone, and ends each call once', async () => {
    const leaving = gate()
    const harness = new CallHarness({ scripts: [{ destroy: () => leaving.wait }, {}] })
    await harness.start()
    const stopped = harness.client.stop()
    const started = harness.start()
    await vi.waitFor(() => expect(harness.story.at(-1)).toBe('daily-call-object-creation started'))
    expect(harness.payloads('call-start-progress').at(-1)?.[0].metadata).toEqual({
      action: 'cleanup-existing',
    })
    expect(harness.rooms).toHaveLength(1)
    leaving.open()
    await Promise.all([stopped, started])
    await harness.client.stop()
    expect(harness.story.filter((told) => told === 'call-end')).toHaveLength(2)
    harness.expectNothingLeft()
  })

  it('has nothing to wait for once the stop is done', async () => {
    const harness = new CallHarness()
    await harness.start()
    await harness.client.stop()
    harness.forget()
    await harness.start()
    expect(harness.story).toEqual(NORMAL_START)
  })

  it('keeps the second call out of what the first room still tells', async () => {
    const harness = new CallHarness()
    await harness.start()
    const first = harness.room
    await harness.client.stop()
    await harness.start()
    harness.forget()
    first.emit('left-meeting', {})
    first.emit('error', { errorMsg: 'late' })
    first.hear('listening')
    expect(harness.told).toEqual([])
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.room.meetingState()).toBe('joined-meeting')
  })

  it('may begin in call-end', async () => {
    const harness = new CallHarness()
    await harness.start()
    const again = new Promise((resolve) =>
      harness.client.on('call-end', () => resolve(harness.client.start({ assistant: 'a' }))),
    )
    harness.room.end()
    await expect(again).resolves.toMatchObject({ id: CALL.id })
    expect(harness.rooms).toHaveLength(2)
  })
})
