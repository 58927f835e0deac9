import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AudioPage } from './testing/audio-page-harness.js'
import { CallHarness, type HarnessOptions } from './testing/call-harness.js'
import { ASSISTANT, ScriptedRoom } from './testing/scripted-room.js'

let audio: AudioPage

beforeEach(() => {
  audio = new AudioPage()
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function joined(options?: HarnessOptions): Promise<CallHarness> {
  const harness = new CallHarness(options)
  await harness.start()
  harness.forget()
  return harness
}

function begin({ room }: CallHarness, participant = ASSISTANT, type = 'audio'): void {
  room.emit('track-started', { participant, track: audio.track, type })
}

describe('the audio tracks of a room', () => {
  it('are played in one element each, and the assistant is told once that it is heard (defect 10)', async () => {
    const harness = await joined()
    begin(harness)
    begin(harness)
    await vi.waitFor(() => expect(harness.room.sent).toEqual(['playable']))
    expect(audio.elements.size).toBe(1)
    begin(harness, { ...ASSISTANT, session_id: 'other', user_name: 'Somebody' })
    expect(audio.elements.size).toBe(2)
    harness.room.emit('participant-left', { participant: { ...ASSISTANT, session_id: 'other' } })
    expect(audio.elements.size).toBe(1)
    await harness.client.stop()
    expect(harness.room.sent).toEqual(['playable'])
  })

  it('leave nothing in the page, call after call (defect 9)', async () => {
    const harness = new CallHarness()
    for (let call = 0; call < 3; call++) {
      await harness.start()
      begin(harness)
      begin(harness, { ...ASSISTANT, session_id: 'other' })
      expect(audio.elements.size).toBe(2)
      await harness.client.stop()
      expect(audio.elements.size).toBe(0)
    }
  })

  it('tell the assistant that it is heard after the join, where they began before', async () => {
    const early = new CallHarness({
      scripts: [
        {
          async join(room) {
            room.emit('track-started', { participant: ASSISTANT, track: audio.track, type: 'audio' })
            await Promise.resolve()
          },
        },
      ],
    })
    await early.start()
    expect(early.room.sent).toEqual(['playable'])
  })

  it('are left alone when they are video or one’s own', async () => {
    const harness = await joined()
    begin(harness, ASSISTANT, 'video')
    begin(harness, { ...ASSISTANT, local: true })
    expect(audio.elements.size).toBe(0)
  })

  it('that the browser blocks are told of, and play after a click (defect 11)', async () => {
    const harness = await joined()
    audio.refusal = Object.assign(new Error('no gesture'), { name: 'NotAllowedError' })
    begin(harness)
    await vi.waitFor(() => expect(harness.story).toEqual(['audio-blocked']))
    expect(harness.room.sent).toEqual([])
    audio.refusal = undefined
    await harness.client.resumeAudio()
    expect(harness.room.sent).toEqual(['playable'])
  })

  it('that the system pauses are told of, and those that end by themselves are not', async () => {
    const harness = await joined()
    begin(harness)
    await vi.waitFor(() => expect(harness.room.sent).toEqual(['playable']))
    harness.forget()
    const [element] = audio.elements
    element?.onpause?.()
    expect(harness.story).toEqual(['audio-blocked'])
    Object.assign(element ?? {}, { ended: true })
    element?.onpause?.()
    harness.room.emit('participant-left', { participant: ASSISTANT })
    Object.assign(element ?? {}, { ended: false })
    element?.onpause?.()
    expect(harness.story).toEqual(['audio-blocked'])
  })

  it('that get another track or are removed while they begin are neither blocked nor heard', async () => {
    const harness = await joined()
    audio.refusal = Object.assign(new Error('another load'), { name: 'AbortError' })
    begin(harness)
    await new Promise((resolve) => setTimeout(resolve))
    audio.refusal = undefined
    begin(harness)
    harness.room.emit('participant-left', { participant: ASSISTANT })
    await new Promise((resolve) => setTimeout(resolve))
    expect([harness.told, harness.room.sent]).toEqual([[], []])
  })
})

describe('a room that plays by itself', () => {
  it('is resumed when it says that it is blocked', async () => {
    const harness = await joined()
    harness.room.emit('audio-blocked', {})
    expect(harness.told).toEqual([['audio-blocked', { timestamp: '2026-01-01T00:00:00.000Z' }]])
    await harness.client.resumeAudio()
    expect(harness.room.wasAsked('resumeAudio')).toBe(true)
  })

  it('tells its caller when it is refused again', async () => {
    const harness = await joined({
      scripts: [{ resumeAudio: () => Promise.reject(new Error('no gesture')) }],
    })
    await expect(harness.client.resumeAudio()).rejects.toThrow('no gesture')
  })
})

describe('the loudspeaker', () => {
  const sinks = () => [...audio.elements].map(({ sinkId }) => sinkId)

  it('moves what plays, what begins later, and a room that plays by itself (defect 15)', async () => {
    const harness = await joined()
    begin(harness)
    await harness.client.setOutputDevice('headset')
    expect(sinks()).toEqual(['headset'])
    begin(harness, { ...ASSISTANT, session_id: 'later' })
    expect(sinks()).toEqual(['headset', 'headset'])
    expect(harness.room.asked).toContainEqual(['setOutputDevice', 'headset'])
    await harness.client.setOutputDevice('')
    expect(sinks()).toEqual(['', ''])
  })

  it('is kept for the calls that follow, and may be chosen before the first', async () => {
    const harness = new CallHarness()
    await harness.client.setOutputDevice('headset')
    for (let call = 0; call < 2; call++) {
      await harness.start()
      begin(harness)
      expect(sinks()).toEqual(['headset'])
      expect(harness.room.asked).toContainEqual(['setOutputDevice', 'headset'])
      await harness.client.stop()
    }
  })

  it('tells its caller when it cannot be chosen, and stays the one before (defect 14)', async () => {
    const harness = await joined()
    begin(harness)
    await harness.client.setOutputDevice('headset')
    audio.sinkRefusal = new Error('no such device')
    await expect(harness.client.setOutputDevice('gone')).rejects.toThrow('no such device')
    audio.sinkRefusal = undefined
    begin(harness, { ...ASSISTANT, session_id: 'later' })
    expect(sinks()).toEqual(['headset', 'headset'])
  })

  it('tells its caller of a room that cannot use it', async () => {
    const setOutputDevice = () => Promise.reject(new Error('not in this browser'))
    const harness = await joined({ scripts: [{ setOutputDevice }] })
    await expect(harness.client.setOutputDevice('headset')).rejects.toThrow('not in this browser')
  })

  it('is warned of where a room throws at once or answers nothing, and the call goes on', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const throwing = () => {
      throw new Error('unplugged')
    }
    for (const setOutputDevice of [throwing, () => undefined]) {
      const room = Object.assign(new ScriptedRoom(), { setOutputDevice })
      const harness = new CallHarness({ createRoom: () => room })
      await harness.client.setOutputDevice('headset')
      await harness.start()
    }
    expect(warned).toHaveBeenCalledTimes(1)
  })

  it('that is gone by the next call is warned of, and the call goes on', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const setOutputDevice = () => Promise.reject(new Error('unplugged'))
    const harness = new CallHarness({ scripts: [{ setOutputDevice }] })
    await harness.client.setOutputDevice('headset')
    audio.sinkRefusal = new Error('unplugged')
    await harness.start()
    begin(harness)
    await vi.waitFor(() => expect(warned).toHaveBeenCalledTimes(2))
    expect(harness.room.sent).toEqual(['playable'])
    expect(harness.payloads('error')).toEqual([])
  })
})
