import { describe, expect, it, vi } from 'vitest'
import { CALL, CallHarness, gate, NORMAL_START } from './testing/call-harness.js'
import { type RoomScript, ScriptedRoom } from './testing/scripted-room.js'

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

  it('while the call is created: aborts the request and makes no room (defect 2)', async () => {
    const { harness, after } = await stopsAt('web-call-creation started', {}, never)
    expect(harness.requests[0]?.signal?.aborted).toBe(true)
    expect([harness.rooms, after]).toEqual([[], []])
  })

  it('while the room’s code is loaded or the room made: destroys the room that comes too late (defect 3)', async () => {
    const late = gate()
    const room = new ScriptedRoom()
    const createRoom = async () => {
      await late.wait
      return room
    }
    const harness = new CallHarness({ createRoom })
    const started = harness.client.start({ assistant: 'a' })
    await vi.waitFor(() => expect(harness.story.at(-1)).toBe('daily-call-object-creation started'))
    const stopped = harness.client.stop()
    await expect(started).resolves.toBeNull()
    late.open()
    await stopped
    expect(room.asked).toEqual([['destroy']])
    expect(harness.story.at(-1)).toBe('daily-call-object-creation started')
  })

  it('while the room is joined: tells neither error nor end (defect 4)', async () => {
    const { harness, after } = await stopsAt('daily-call-join started', { join: never })
    expect(after).toEqual([])
    harness.expectNothingLeft()
  })

  it('while a mobile device waits (defect 4)', async () => {
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

  it('by its signal, which is of no use to the call that came of it', async () => {
    const abort = new AbortController()
    const harness = new CallHarness()
    await harness.client.start({ assistant: 'a' }, { signal: abort.signal })
    abort.abort()
    expect(harness.story).toEqual(NORMAL_START)
    expect(harness.room.meetingState()).toBe('joined-meeting')
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
  /** Rooms that the test makes, after a start that was stopped while it waited for the first. */
  async function slowRooms() {
    const rooms: ((room: ScriptedRoom) => void)[] = []
    const harness = new CallHarness({ createRoom: () => new Promise((made) => rooms.push(made)) })
    const first = harness.client.start({ assistant: 'a' })
    await vi.waitFor(() => expect(rooms).toHaveLength(1))
    void harness.client.stop()
    await expect(first).resolves.toBeNull()
    const second = harness.client.start({ assistant: 'b' })
    await vi.waitFor(() => expect(harness.requests).toHaveLength(2))
    await new Promise((resolve) => setTimeout(resolve))
    return { harness, rooms, second }
  }

  it('waits for a room that is still being made, and makes the second once it is destroyed', async () => {
    const { harness, rooms, second } = await slowRooms()
    expect(rooms).toHaveLength(1)
    const leaving = gate()
    const late = new ScriptedRoom({ destroy: () => leaving.wait })
    rooms[0]?.(late)
    await vi.waitFor(() => expect(late.asked).toEqual([['destroy']]))
    expect(rooms).toHaveLength(1)
    leaving.open()
    await vi.waitFor(() => expect(rooms).toHaveLength(2))
    rooms[1]?.(new ScriptedRoom())
    await expect(second).resolves.not.toBeNull()
    await harness.client.stop()
    expect(harness.clock.pending).toBe(0)
  })

  it('waits no longer than three seconds for it, and destroys it when it comes', async () => {
    const { harness, rooms, second } = await slowRooms()
    harness.clock.advance(2999)
    await new Promise((resolve) => setTimeout(resolve))
    expect(rooms).toHaveLength(1)
    harness.clock.advance(1)
    await vi.waitFor(() => expect(rooms).toHaveLength(2))
    const late = new ScriptedRoom()
    rooms[0]?.(late)
    await vi.waitFor(() => expect(late.asked).toEqual([['destroy']]))
    rooms[1]?.(new ScriptedRoom())
    await expect(second).resolves.not.toBeNull()
  })

  it('waits until the first room is gone, lets no third call in, and ends each once (defects 5, 7)', async () => {
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
    // The second call runs already: its wait lets no third one in (defect 7).
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.requests).toHaveLength(2)
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

  it('has nothing to wait for where the first start made no room', async () => {
    const answers = [new Promise<never>(() => {}), Response.json(CALL)]
    const harness = new CallHarness({ answer: () => answers.shift() ?? Response.error() })
    const first = harness.client.start({ assistant: 'a' })
    void harness.client.stop()
    harness.forget()
    await harness.start()
    await expect(first).resolves.toBeNull()
    expect(harness.story).toEqual(NORMAL_START)
  })

  it('keeps the second call out of what the first room still tells (defect 6)', async () => {
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
