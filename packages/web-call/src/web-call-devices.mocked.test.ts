import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { preloadRoom } from './room-opening.js'
import { CALL, CallHarness, gate, type HarnessOptions } from './testing/call-harness.js'
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

  /** What the browser says of the permission for it; without, the browser does not tell. */
  constructor(permission?: PermissionState) {
    const { open } = this
    const query = async () => ({ state: permission })
    vi.stubGlobal('navigator', {
      userAgent: 'Chrome',
      mediaDevices: { getUserMedia: this.getUserMedia },
      ...(permission && { permissions: { query } }),
    })
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

beforeEach(async () => {
  devices = new Devices()
  // What another test learnt is forgotten.
  await preloadRoom('socket')
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
    devices = new Devices('granted')
    const harness = harnessOf({ answer: () => new Promise<never>(() => {}) })
    await harness.client.preload('socket')
    void harness.client.start({ assistant: 'a' })
    expect(devices.getUserMedia).toHaveBeenCalledOnce()
    expect(harness.requests).toHaveLength(1)
    await harness.client.stop()
  })

  it('that is allowed holds up no call, also where nothing was loaded ahead', async () => {
    devices = new Devices('granted')
    devices.answer = () => new Promise<never>(() => {})
    const harness = harnessOf()
    void harness.client.start({ assistant: 'a' })
    await vi.waitFor(() => expect(harness.requests).toHaveLength(1))
    await harness.client.stop()
  })

  it.each(['prompt', undefined] as const)(
    'may be allowed at leisure: the call is created then (%s)',
    async (permission) => {
      devices = new Devices(permission)
      const allowing = gate()
      devices.answer = () => allowing.wait
      const harness = harnessOf()
      await harness.client.preload('socket')
      const started = harness.start()
      await vi.waitFor(() => expect(devices.getUserMedia).toHaveBeenCalledOnce())
      harness.clock.advance(60_000)
      expect(harness.requests).toEqual([])
      allowing.open()
      await started
      expect(harness.requests).toHaveLength(1)
      await harness.client.stop()
    },
  )

  it.each([
    [14_000, 1],
    [14_001, 2],
  ])('that is allowed and takes %i ms: calls created: %i', async (milliseconds, times) => {
    devices = new Devices('granted')
    const opening = gate()
    devices.answer = () => opening.wait
    const calls = [CALL, { ...CALL, id: 'call-2' }]
    const harness = harnessOf({ answer: () => Response.json(calls.shift()) })
    const started = harness.client.start({ assistant: 'a' })
    await vi.waitFor(() => expect(harness.requests).toHaveLength(1))
    await new Promise((resolve) => setImmediate(resolve))
    harness.clock.advance(milliseconds)
    opening.open()
    expect(await started).toMatchObject({ id: `call-${times}` })
    expect(harness.requests).toHaveLength(times)
    await harness.client.stop()
  })

  it('that is allowed too late, after a stop, creates no call', async () => {
    const allowing = gate()
    devices.answer = () => allowing.wait
    const harness = harnessOf()
    const started = harness.client.start({ assistant: 'a' })
    await harness.client.stop()
    allowing.open()
    await started
    await vi.waitFor(() => expect(devices.open.size).toBe(0))
    expect(harness.requests).toEqual([])
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
    devices = new Devices('granted')
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
    expect(devices.open.size).toBe(0)
  })

  it('that is refused ends the request for the call, and none is made where it was refused before', async () => {
    const refusing = gate()
    devices = new Devices('granted')
    devices.answer = () => refusing.wait.then(() => Promise.reject(new Error('no')))
    const harness = harnessOf({ answer: () => new Promise<never>(() => {}) })
    const started = harness.client.start({ assistant: 'a' })
    await vi.waitFor(() => expect(harness.requests).toHaveLength(1))
    refusing.open()
    await started
    expect(harness.requests[0]?.signal?.aborted).toBe(true)
    devices = new Devices('denied')
    devices.answer = () => Promise.reject(new Error('no'))
    await harness.client.preload('socket')
    await harness.client.start({ assistant: 'a' })
    expect(harness.requests).toHaveLength(1)
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
