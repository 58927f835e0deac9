import { ManualClock } from '@heyline/kit/manual-clock'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MicrophoneError } from '../browser/microphone.js'
import { MicrophoneKeeper } from './microphone-keeper.js'

/** A microphone's track, which its test may end. */
class TestTrack extends EventTarget {
  readyState: MediaStreamTrackState = 'live'
  readonly #deviceId: string | undefined

  constructor(deviceId?: string) {
    super()
    this.#deviceId = deviceId
  }

  getSettings = () => ({ deviceId: this.#deviceId })

  end(isTold = true): void {
    this.readyState = 'ended'
    if (isTold) this.dispatchEvent(new Event('ended'))
  }
}

const asTrack = (track: TestTrack): MediaStreamTrack => Object.assign(Object.create(null), { track }).track

/** The microphones of the system. */
class Devices extends EventTarget {
  microphones = ['default', 'headset']
  enumerateDevices = vi.fn(async () => [
    { kind: 'audiooutput', deviceId: 'speaker' },
    ...this.microphones.map((deviceId) => ({ kind: 'audioinput', deviceId })),
  ])

  change(microphones = this.microphones): void {
    this.microphones = microphones
    this.dispatchEvent(new Event('devicechange'))
  }
}

let devices: Devices
let clock: ManualClock
let track: TestTrack
let opened: TestTrack
const open = vi.fn<() => Promise<MediaStreamTrack | undefined>>()
const onChanged = vi.fn<() => void>()
const onLost = vi.fn<(error: MicrophoneError) => void>()
let keeper: MicrophoneKeeper

/** All that is under way has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

beforeEach(async () => {
  devices = new Devices()
  vi.stubGlobal('navigator', { mediaDevices: devices })
  clock = new ManualClock()
  track = new TestTrack('headset')
  opened = new TestTrack('default')
  open.mockReset().mockImplementation(async () => asTrack(opened))
  onChanged.mockReset()
  onLost.mockReset()
  keeper = new MicrophoneKeeper({ open, onChanged, onLost }, clock)
  keeper.watch(asTrack(track))
  await settled()
})

afterEach(() => {
  keeper.close()
  vi.unstubAllGlobals()
})

describe('a microphone that is lost', () => {
  it.each<[string, () => void]>([
    ['its track tells so', () => track.end()],
    [
      'its track is over when devices change',
      () => {
        track.end(false)
        devices.change()
      },
    ],
    ['its device is gone, whatever its track says', () => devices.change(['default'])],
    [
      'both tell so',
      () => {
        track.end()
        devices.change(['default'])
      },
    ],
  ])('is replaced once when %s', async (_name, lose) => {
    lose()
    await settled()
    expect(open).toHaveBeenCalledTimes(1)
    expect(onChanged).toHaveBeenCalledTimes(1)
    expect(clock.pending).toBe(0)
  })

  it('is replaced again when the next is lost', async () => {
    track.end()
    await settled()
    const second = opened
    opened = new TestTrack()
    second.end()
    await settled()
    expect(onChanged).toHaveBeenCalledTimes(2)
  })

  it('is sought for two seconds, and then there is none left', async () => {
    open.mockRejectedValue(new MicrophoneError('missing'))
    track.end()
    for (const wait of [500, 1500]) {
      await settled()
      expect(onLost).not.toHaveBeenCalled()
      clock.advance(wait)
    }
    await settled()
    expect(open).toHaveBeenCalledTimes(3)
    expect(onLost.mock.calls).toEqual([[expect.objectContaining({ reason: 'missing' })]])
    devices.change()
    await settled()
    expect(open).toHaveBeenCalledTimes(3)
  })

  it('is found at the second attempt', async () => {
    open.mockRejectedValueOnce(new Error('not yet'))
    track.end()
    await settled()
    clock.advance(500)
    await settled()
    expect(onChanged).toHaveBeenCalledTimes(1)
    expect(onLost).not.toHaveBeenCalled()
  })

  it('is not sought where it is forbidden', async () => {
    open.mockRejectedValue(new MicrophoneError('denied'))
    track.end()
    await settled()
    expect(onLost.mock.calls).toEqual([[expect.objectContaining({ reason: 'denied' })]])
    expect(clock.pending).toBe(0)
  })

  it('is not replaced by a track that is over already', async () => {
    opened.end(false)
    track.end()
    await settled()
    expect(onChanged).not.toHaveBeenCalled()
    expect(clock.pending).toBe(1)
  })

  it('is nobody’s concern after the end', async () => {
    open.mockRejectedValueOnce(new MicrophoneError('busy'))
    track.end()
    await settled()
    keeper.close()
    expect(clock.pending).toBe(0)
    devices.change()
    await settled()
    expect(open).toHaveBeenCalledTimes(1)
    expect(onLost).not.toHaveBeenCalled()
  })
})

describe('a microphone that is there', () => {
  it('stays when other devices come and go', async () => {
    devices.change(['default', 'headset', 'webcam'])
    await settled()
    devices.change(['headset'])
    await settled()
    expect(open).not.toHaveBeenCalled()
  })

  it('stays where it is no device of the list', async () => {
    keeper.watch(asTrack(new TestTrack('made up')))
    await settled()
    devices.change([])
    await settled()
    expect(open).not.toHaveBeenCalled()
  })

  it('stays where devices cannot be listed', async () => {
    devices.enumerateDevices.mockRejectedValue(new Error('not here'))
    devices.change()
    await settled()
    expect(open).not.toHaveBeenCalled()
  })

  it.each([[{}], [{ mediaDevices: {} }]])('needs nothing that a browser may lack: %j', async (browser) => {
    vi.stubGlobal('navigator', browser)
    const other = new MicrophoneKeeper({ open, onChanged, onLost }, clock)
    other.watch(asTrack(track))
    track.end()
    await settled()
    expect(onChanged).toHaveBeenCalled()
    other.close()
  })
})
