import { ManualClock } from '@heyline/kit/manual-clock'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AudioOpening } from '../../browser/audio-opening.js'
import { addWorklet, BrowserAudio } from './browser-audio.js'

/** The parts of a browser's audio that the device touches, each remembering what was done to it. */
class TestTrack extends EventTarget {
  enabled = true
  readyState = 'live'
  isStopped = false
  readonly applied: object[] = []

  stop(): void {
    this.isStopped = true
  }
  getSettings = () => ({ noiseSuppression: true, deviceId: 'headset' })
  getConstraints = () => ({ channelCount: 1 })
  async applyConstraints(constraints: object): Promise<void> {
    this.applied.push(constraints)
  }
}

class TestNode {
  isConnected = false
  readonly posted: unknown[] = []
  readonly port = {
    onmessage: undefined as ((event: { data: unknown }) => void) | undefined,
    postMessage: (message: unknown) => void this.posted.push(message),
  }
  connect = (other: unknown) => {
    this.isConnected = true
    return other
  }
  disconnect = () => {
    this.isConnected = false
  }
}

const worklets = new Map<string, TestNode>()
let contexts: TestContext[]
let track: TestTrack
let getUserMedia: ReturnType<typeof vi.fn>

class TestContext {
  isResumed = false
  isClosed = false
  state = 'running'
  sink = ''
  onstatechange: (() => void) | null = null
  readonly modules: string[] = []
  readonly destination = {}
  readonly audioWorklet = { addModule: async (url: URL) => void this.modules.push(url.pathname) }

  constructor() {
    contexts.push(this)
  }
  /** A browser without a loudspeaker never resumes. */
  resume(): Promise<void> {
    this.isResumed = true
    return new Promise(() => {})
  }
  async close(): Promise<void> {
    this.isClosed = true
  }
  async setSinkId(sink: string): Promise<void> {
    this.sink = sink
  }
  changeTo(state: string): void {
    this.state = state
    this.onstatechange?.()
  }
  readonly sources: TestNode[] = []
  createMediaStreamSource = () => {
    const source = new TestNode()
    this.sources.push(source)
    return source
  }
}

const handlers = () => ({
  onCaptured: vi.fn(),
  onAudible: vi.fn(),
  onReached: vi.fn(),
  onCleared: vi.fn(),
  onLevel: vi.fn(),
  onBlocked: vi.fn(),
  onMicrophoneChanged: vi.fn(),
  onMicrophoneLost: vi.fn(),
})

beforeEach(() => {
  contexts = []
  worklets.clear()
  track = new TestTrack()
  getUserMedia = vi.fn(async () => ({ getAudioTracks: () => [track] }))
  vi.stubGlobal('AudioContext', TestContext)
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
  vi.stubGlobal(
    'AudioWorkletNode',
    class extends TestNode {
      constructor(_context: unknown, name: string) {
        super()
        worklets.set(name, this)
      }
    },
  )
})

afterEach(() => void vi.unstubAllGlobals())

describe('the audio of the browser', () => {
  it('is asked for before anything is awaited', () => {
    new BrowserAudio()
    expect(contexts[0]?.isResumed).toBe(true)
    const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 }
    expect(getUserMedia.mock.calls).toEqual([[{ audio }]])
  })

  it('carries frames, speech, marks and levels', async () => {
    const device = new BrowserAudio()
    const told = handlers()
    await device.open(told)
    expect(contexts[0]?.modules[0]).toMatch(/worklet\.js$/)
    device.play(Int16Array.of(1))
    device.mark(2)
    device.clear(3)
    device.observeLevel(100)
    const [capture, player] = [worklets.get('heyline-capture'), worklets.get('heyline-player')]
    expect(player?.posted).toEqual([
      { type: 'play', samples: Int16Array.of(1) },
      { type: 'mark', id: 2 },
      { type: 'clear', id: 3 },
      { type: 'observe', intervalMs: 100 },
    ])
    capture?.port.onmessage?.({ data: Int16Array.of(7) })
    for (const data of [
      { type: 'audible' },
      { type: 'reached', id: 2 },
      { type: 'cleared', id: 3, playedMs: 40 },
      { type: 'level', level: 0.1 },
    ])
      player?.port.onmessage?.({ data })
    expect(told.onCaptured).toHaveBeenCalledWith(Int16Array.of(7))
    expect(told.onAudible).toHaveBeenCalledOnce()
    expect(told.onReached).toHaveBeenCalledWith(2)
    expect(told.onCleared).toHaveBeenCalledWith(3, 40)
    expect(told.onLevel).toHaveBeenCalledWith(0.1)
  })

  it('releases microphone and context, and tells nothing any more', async () => {
    const device = new BrowserAudio()
    const told = handlers()
    await device.open(told)
    device.close()
    device.close()
    worklets.get('heyline-player')?.port.onmessage?.({ data: { type: 'audible' } })
    expect([track.isStopped, contexts[0]?.isClosed, told.onAudible.mock.calls]).toEqual([true, true, []])
  })

  it('lets go of a microphone that is granted too late', async () => {
    const device = new BrowserAudio()
    device.close()
    await device.open(handlers())
    expect([track.isStopped, worklets.size]).toEqual([true, 0])
  })

  it('mutes by the track, and begins muted when it is told to', async () => {
    const device = new BrowserAudio({ startAudioOff: true })
    await device.open(handlers())
    expect(track.enabled).toBe(false)
    device.setMicrophone(true)
    expect(track.enabled).toBe(true)
  })

  it('leaves alone the filter of a track that was given', async () => {
    vi.stubGlobal(
      'MediaStream',
      class {
        getAudioTracks = () => [track]
      },
    )
    const given: MediaStreamTrack = Object.create(null)
    const device = new BrowserAudio({ audioSource: given })
    await device.open(handlers())
    await device.setNoiseSuppression(false)
    device.close()
    expect([track.applied, track.isStopped]).toEqual([[], false])
  })

  it('goes on with a microphone that refuses another filter', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    track.applyConstraints = async () => {
      throw new Error('OverconstrainedError')
    }
    const device = new BrowserAudio()
    await device.open(handlers())
    await expect(device.setNoiseSuppression(false)).resolves.toBeUndefined()
    expect(warned).toHaveBeenCalledOnce()
    warned.mockRestore()
  })

  it('plays through another loudspeaker, or says that the browser cannot', async () => {
    const device = new BrowserAudio()
    await device.setOutputDevice('headphones')
    expect(contexts[0]?.sink).toBe('headphones')
    Object.assign(contexts[0] ?? {}, { setSinkId: undefined })
    await expect(device.setOutputDevice('headphones')).rejects.toThrow('cannot choose the loudspeaker')
  })

  it('tells when the browser does not let it play within a second, or stops it later', async () => {
    const clock = new ManualClock()
    const device = new BrowserAudio({}, clock)
    const told = handlers()
    await device.open(told)
    const [context] = contexts
    if (!context) throw new Error('There is no audio context.')
    context.state = 'suspended'
    clock.advance(999)
    expect(told.onBlocked).not.toHaveBeenCalled()
    clock.advance(1)
    expect(told.onBlocked).toHaveBeenCalledTimes(1)
    context.changeTo('running')
    expect(told.onBlocked).toHaveBeenCalledTimes(1)
    context.changeTo('interrupted')
    expect(told.onBlocked).toHaveBeenCalledTimes(2)
    context.isResumed = false
    const resumed = expect(device.resume()).rejects.toThrow('still refuses to play')
    expect(context.isResumed).toBe(true)
    clock.advance(1000)
    await resumed
    expect(clock.pending).toBe(0)
    device.close()
    context.changeTo('closed')
    expect(told.onBlocked).toHaveBeenCalledTimes(2)
  })

  it('is resumed in a click', async () => {
    const clock = new ManualClock()
    const device = new BrowserAudio({}, clock)
    const [context] = contexts
    if (!context) throw new Error('There is no audio context.')
    context.state = 'suspended'
    context.resume = async () => {
      context.state = 'running'
    }
    await expect(device.resume()).resolves.toBeUndefined()
    await vi.waitFor(() => expect(clock.pending).toBe(0))
  })

  it('does not watch a device that is closed', async () => {
    const clock = new ManualClock()
    const device = new BrowserAudio({}, clock)
    await device.open(handlers())
    device.close()
    expect(clock.pending).toBe(0)
  })

  it('takes over what was opened in the click', async () => {
    const opening = new AudioOpening()
    const device = new BrowserAudio(opening)
    expect(contexts).toHaveLength(1)
    expect(getUserMedia).toHaveBeenCalledOnce()
    await addWorklet(opening.context)
    expect(contexts[0]?.modules).toHaveLength(1)
    await opening.microphone
    device.close()
    expect([track.isStopped, opening.isClosed]).toEqual([true, true])
  })

  it('hears the default microphone when its own is lost, as muted as that was', async () => {
    const device = new BrowserAudio({ audioSource: 'headset' })
    const told = handlers()
    await device.open(told)
    device.setMicrophone(false)
    const lost = track
    track = new TestTrack()
    lost.readyState = 'ended'
    lost.dispatchEvent(new Event('ended'))
    await vi.waitFor(() => expect(told.onMicrophoneChanged).toHaveBeenCalledOnce())
    expect(getUserMedia.mock.lastCall?.[0].audio).not.toHaveProperty('deviceId')
    expect([lost.isStopped, track.enabled, device.track]).toEqual([true, false, track])
    expect(contexts[0]?.sources.map(({ isConnected }) => isConnected)).toEqual([false, true])
    worklets.get('heyline-capture')?.port.onmessage?.({ data: Int16Array.of(7) })
    expect(told.onCaptured).toHaveBeenCalledWith(Int16Array.of(7))
    device.setMicrophone(true)
    expect(track.enabled).toBe(true)
    device.close()
    expect(track.isStopped).toBe(true)
  })

  it('stops a microphone that is opened after its end', async () => {
    const device = new BrowserAudio()
    const told = handlers()
    await device.open(told)
    const another = new TestTrack()
    let give = (_: object) => {}
    getUserMedia.mockReturnValueOnce(
      new Promise((resolve) => {
        give = resolve
      }),
    )
    track.readyState = 'ended'
    track.dispatchEvent(new Event('ended'))
    await vi.waitFor(() => expect(getUserMedia).toHaveBeenCalledTimes(2))
    device.close()
    give({ getAudioTracks: () => [another] })
    await vi.waitFor(() => expect(another.isStopped).toBe(true))
    expect(told.onMicrophoneChanged).not.toHaveBeenCalled()
  })

  it('tells when there is none left', async () => {
    const clock = new ManualClock()
    const device = new BrowserAudio({}, clock)
    const told = handlers()
    await device.open(told)
    getUserMedia.mockRejectedValue(Object.assign(new Error('none'), { name: 'NotFoundError' }))
    track.readyState = 'ended'
    track.dispatchEvent(new Event('ended'))
    for (const wait of [500, 1500]) {
      await vi.waitFor(() => expect(clock.pending).toBe(2))
      clock.advance(wait)
    }
    await vi.waitFor(() => expect(told.onMicrophoneLost).toHaveBeenCalledOnce())
    expect(told.onMicrophoneLost.mock.lastCall?.[0]).toMatchObject({ reason: 'missing' })
    expect(getUserMedia).toHaveBeenCalledTimes(4)
  })

  it('opens nothing in the place of a track that was given', async () => {
    vi.stubGlobal(
      'MediaStream',
      class {
        getAudioTracks = () => [track]
      },
    )
    const given = Object.assign(Object.create(null), { readyState: 'ended' })
    const device = new BrowserAudio({ audioSource: given })
    const told = handlers()
    await device.open(told)
    track.dispatchEvent(new Event('ended'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(getUserMedia).not.toHaveBeenCalled()
    expect(told.onMicrophoneLost).not.toHaveBeenCalled()
  })

  it('says what to do in a browser without AudioWorklet', async () => {
    const device = new BrowserAudio()
    Object.assign(contexts[0] ?? {}, { audioWorklet: undefined })
    await expect(device.open(handlers())).rejects.toThrow('needs AudioWorklet')
  })

  it('sets the filter of the capture only where it is another one', async () => {
    const device = new BrowserAudio()
    await device.open(handlers())
    await device.setNoiseSuppression(true)
    await device.setNoiseSuppression(false)
    expect(track.applied).toEqual([{ channelCount: 1, noiseSuppression: false }])
  })

  it('takes a device, a track, or no microphone', async () => {
    new BrowserAudio({ audioSource: 'usb' })
    expect(getUserMedia.mock.calls[0]?.[0]).toMatchObject({ audio: { deviceId: { exact: 'usb' } } })
    const listener = new BrowserAudio({ audioSource: false })
    await listener.open(handlers())
    expect(getUserMedia).toHaveBeenCalledTimes(1)
    expect([...worklets.keys()]).toEqual(['heyline-player'])
  })

  it.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'missing'],
    ['OverconstrainedError', 'missing'],
    ['NotReadableError', 'busy'],
    ['TypeError', 'missing'],
  ])('says for %s that the microphone is %s', async (name, reason) => {
    const refusal = Object.assign(new Error('no'), { name })
    getUserMedia.mockRejectedValue(refusal)
    const device = new BrowserAudio()
    await expect(device.open(handlers())).rejects.toMatchObject({
      name: 'MicrophoneError',
      reason,
      cause: refusal,
    })
  })

  it('says what to do on a page that is not secure', async () => {
    vi.stubGlobal('navigator', {})
    await expect(new BrowserAudio().open(handlers())).rejects.toThrow('https')
  })
})
