import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CALL, CallHarness, type HarnessOptions } from './testing/call-harness.js'
import { ScriptedRoom } from './testing/scripted-room.js'

const { createDailyCall } = vi.hoisted(() => ({ createDailyCall: vi.fn() }))
vi.mock('./rooms/daily/daily-call.js', () => ({ createDailyCall }))

/** A browser's microphone and audio contexts; all that is open is noted. */
class Devices {
  readonly open = new Set<object>()
  /** How the person answers for the microphone. */
  answer: () => Promise<void> = async () => {}
  readonly getUserMedia = vi.fn(async () => {
    await this.answer()
    const { open } = this
    const track = { enabled: true, stop: () => open.delete(track) }
    open.add(track)
    return { getAudioTracks: () => [track] }
  })

  constructor() {
    const { open } = this
    vi.stubGlobal('navigator', { userAgent: 'Chrome', mediaDevices: { getUserMedia: this.getUserMedia } })
    vi.stubGlobal(
      'AudioContext',
      class {
        constructor() {
          open.add(this)
        }

        async resume(): Promise<void> {}

        async close(): Promise<void> {
          open.delete(this)
        }
      },
    )
  }
}

let devices: Devices
let room: ScriptedRoom

beforeEach(() => {
  devices = new Devices()
  room = new ScriptedRoom()
  createDailyCall.mockReset().mockImplementation(() => room)
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A client with the browser's own devices, on the hosted platform and its Daily rooms. */
const harnessOf = (options?: HarnessOptions) =>
  new CallHarness({ createRoom: undefined, baseUrl: undefined, ...options })

describe('the microphone', () => {
  it('is asked for in the click itself, while the call is created (defect 28)', async () => {
    const harness = harnessOf({ answer: () => new Promise<never>(() => {}) })
    void harness.client.start({ assistant: 'a' })
    expect(devices.getUserMedia).toHaveBeenCalledOnce()
    await harness.client.stop()
  })

  it('is not asked for where there is nothing to call, or a call runs already', async () => {
    const harness = harnessOf()
    await expect(harness.client.start({})).rejects.toThrow()
    expect(devices.getUserMedia).not.toHaveBeenCalled()
    await harness.start()
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(devices.getUserMedia).toHaveBeenCalledOnce()
    await harness.client.stop()
  })

  it.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'missing'],
    ['NotReadableError', 'busy'],
  ])('that gives %s ends the start before the platform has answered', async (name, reason) => {
    devices.answer = () => Promise.reject(Object.assign(new Error('no'), { name }))
    const harness = harnessOf({ answer: () => new Promise<never>(() => {}) })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story).toEqual([
      'initialization started',
      'web-call-creation started',
      'error microphone-error',
      'call-start-failed',
      'error start-method-error',
    ])
    expect(harness.payloads('error')[0]?.[0].reason).toBe(reason)
    expect(harness.requests[0]?.signal?.aborted).toBe(true)
    expect(devices.open.size).toBe(0)
  })
})

describe('devices', () => {
  it.each<[string, HarnessOptions]>([
    ['ends', {}],
    ['is refused', { answer: () => Response.json({ message: 'No' }, { status: 401 }) }],
    ['has no room', { answer: () => Response.json({ id: 'call-1' }) }],
  ])('are let go of when a call %s (defect 26)', async (_name, options) => {
    const harness = harnessOf(options)
    await harness.client.start({ assistant: 'a' })
    await harness.client.stop()
    expect(devices.getUserMedia).toHaveBeenCalledOnce()
    expect(devices.open.size).toBe(0)
  })

  it('are let go of from every turn of a start', async () => {
    for (let turn = 0; turn < 60; turn++) {
      room = new ScriptedRoom()
      createDailyCall.mockClear()
      const harness = harnessOf({ answer: () => Response.json(CALL) })
      const started = harness.client.start({ assistant: 'a' })
      for (let time = 0; time < turn; time++) await Promise.resolve()
      await harness.client.stop()
      await started
      await vi.waitFor(() => expect(devices.open.size).toBe(0))
      expect(room.wasAsked('destroy')).toBe(createDailyCall.mock.calls.length > 0)
      expect(harness.clock.pending).toBe(0)
      expect(harness.payloads('error')).toEqual([])
    }
  })

  it('that are asked for when the call is stopped are let go of when they are given', async () => {
    let give = () => {}
    devices.answer = () =>
      new Promise((resolve) => {
        give = resolve
      })
    const harness = harnessOf()
    const started = harness.client.start({ assistant: 'a' })
    await harness.client.stop()
    await expect(started).resolves.toBeNull()
    give()
    await vi.waitFor(() => expect(devices.getUserMedia.mock.settledResults[0]?.type).toBe('fulfilled'))
    await Promise.resolve()
    expect(devices.open.size).toBe(0)
  })
})
