import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallHarness } from './testing/call-harness.js'
import { ASSISTANT } from './testing/scripted-room.js'

let harness: CallHarness

beforeEach(async () => {
  harness = new CallHarness()
  await harness.start()
  harness.forget()
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('what the assistant says', () => {
  it('begins the call when it listens, once', () => {
    harness.room.hear('listening')
    harness.room.hear('listening')
    expect(harness.told).toEqual([['call-start']])
  })

  it('is heard although it came during the join', async () => {
    const early = new CallHarness({
      scripts: [
        {
          async join(room) {
            room.hear('listening')
            room.hear({ type: 'assistant.started' })
          },
        },
      ],
    })
    await early.start()
    const joined = early.story.indexOf('daily-call-join completed')
    expect(early.story.slice(joined, joined + 3)).toEqual([
      'daily-call-join completed',
      'call-start',
      'message assistant.started',
    ])
  })

  it('is handed on as it came, of a known type or not', () => {
    const transcript = { type: 'transcript', role: 'user', transcriptType: 'final', transcript: 'Hello' }
    harness.room.hear(transcript)
    harness.room.hear({ type: 'from-the-future', field: 1 })
    expect(harness.payloads('message')).toEqual([[transcript], [{ type: 'from-the-future', field: 1 }]])
  })

  it('is only logged when it cannot be read', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    for (const data of ['{oops', '"text"', 'null', 42])
      harness.room.emit('app-message', { data, fromId: 'assistant' })
    expect(harness.told).toEqual([])
    expect(warned).toHaveBeenCalledTimes(4)
  })

  it('survives a listener that throws, which is reported once', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    const fault = new Error('in the page')
    harness.client.on('message', () => {
      throw fault
    })
    harness.room.hear({ type: 'status-update', status: 'ended', endedReason: 'assistant-ended-call' })
    harness.room.end()
    expect(reported.mock.calls).toEqual([[fault]])
    expect(harness.story).toEqual(['message status-update', 'call-end'])
  })
})

describe('its voice', () => {
  it('gives volume, a start above 0.01 and an end after a second of silence', () => {
    harness.room.level(0.01)
    harness.room.level(0.03)
    harness.room.level(0.3)
    harness.clock.advance(999)
    harness.room.level(0.02)
    harness.clock.advance(999)
    expect(harness.story).not.toContain('speech-end')
    harness.clock.advance(1)
    expect(harness.told.map(([name]) => name)).toEqual([
      'volume-level',
      'volume-level',
      'speech-start',
      'volume-level',
      'volume-level',
      'speech-end',
    ])
    const [silent, soft, loud] = harness.payloads('volume-level').map(([volume]) => volume)
    expect(silent).toBeCloseTo(0.0667, 3)
    expect(soft).toBeCloseTo(0.2)
    expect(loud).toBe(1)
  })

  it('is the sum of all who are in the room', () => {
    harness.room.emit('remote-participants-audio-level', {
      participantsAudioLevel: { one: 0.006, other: 0.006 },
    })
    expect(harness.story).toEqual(['volume-level', 'speech-start'])
  })
})

describe('the microphone', () => {
  it('is muted and opened again', () => {
    harness.client.setMuted(true)
    expect([harness.client.isMuted(), harness.room.localAudio()]).toEqual([true, false])
    harness.client.setMuted(false)
    expect([harness.client.isMuted(), harness.room.localAudio()]).toEqual([false, true])
  })

  it('goes on without its noise filter when that fails', async () => {
    harness.room.setLocalAudio(false)
    harness.room.emit('nonfatal-error', { type: 'audio-processor-error', errorMsg: 'filter' })
    await vi.waitFor(() => expect(harness.room.localAudio()).toBe(true))
    expect(harness.room.asked).toContainEqual([
      'updateInputSettings',
      { audio: { processor: { type: 'none' } } },
    ])
    expect(harness.told).toEqual([])
  })

  it('stays muted when it was', async () => {
    harness.client.setMuted(true)
    harness.room.emit('nonfatal-error', { type: 'audio-processor-error', errorMsg: 'filter' })
    await vi.waitFor(() => expect(harness.room.asked.at(-1)?.[0]).toBe('updateInputSettings'))
    expect(harness.room.localAudio()).toBe(false)
  })

  it('is left alone by other faults', () => {
    const before = harness.room.asked.length
    harness.room.emit('nonfatal-error', { type: 'screen-share-error', errorMsg: 'screen' })
    expect(harness.room.asked).toHaveLength(before)
  })

  it('is told when it is lost in the call', () => {
    harness.room.emit('camera-error', { error: { type: 'mic-in-use', msg: 'busy' } })
    harness.room.emit('camera-error', { error: { type: 'cam-in-use', msg: 'busy' } })
    expect(harness.payloads('error')).toMatchObject([[{ type: 'microphone-error', reason: 'busy' }]])
  })

  it('cannot be muted without a call', async () => {
    await harness.client.stop()
    expect(() => harness.client.setMuted(true)).toThrow('Call object is not available.')
    expect(harness.client.isMuted()).toBe(false)
  })
})

describe('messages to the assistant', () => {
  const sent = () => harness.room.sent.map((text): unknown => JSON.parse(String(text)))

  it('say something', () => {
    harness.client.say('Hello')
    harness.client.say('Goodbye', { endCallAfterSpoken: true, interruptionsEnabled: true })
    expect(sent()).toEqual([
      {
        type: 'say',
        message: 'Hello',
        endCallAfterSpoken: false,
        interruptionsEnabled: false,
        interruptAssistantEnabled: false,
      },
      {
        type: 'say',
        message: 'Goodbye',
        endCallAfterSpoken: true,
        interruptionsEnabled: true,
        interruptAssistantEnabled: false,
      },
    ])
  })

  it('control it', () => {
    harness.client.send({ type: 'control', control: 'mute-assistant' })
    expect(sent()).toEqual([{ type: 'control', control: 'mute-assistant' }])
  })

  it('need a call', async () => {
    await harness.client.stop()
    expect(() => harness.client.say('Hello')).toThrow('Call object is not available.')
  })
})

describe('the audio tracks of a room', () => {
  /** Audio elements of a page, whose `play` a test decides on. */
  class TestElement {
    srcObject: unknown
    isConnected = false
    readonly play = vi.fn(async () => {})
    readonly pause = vi.fn()

    remove(): void {
      this.isConnected = false
      elements.delete(this)
    }
  }
  const elements = new Set<TestElement>()
  let refusal: Error | undefined

  beforeEach(() => {
    elements.clear()
    refusal = undefined
    vi.stubGlobal('MediaStream', class {})
    vi.stubGlobal('document', {
      createElement() {
        const element = new TestElement()
        element.play.mockImplementation(async () => {
          if (refusal) throw refusal
        })
        return element
      },
      body: {
        appendChild(element: TestElement) {
          element.isConnected = true
          elements.add(element)
          return element
        },
      },
    })
  })

  const track = { kind: 'audio' } as MediaStreamTrack
  const begin = (participant = ASSISTANT, type = 'audio') =>
    harness.room.emit('track-started', { participant, track, type })

  it('are played in one element each, and the assistant is told once that it is heard', async () => {
    begin()
    begin()
    await vi.waitFor(() => expect(harness.room.sent).toEqual(['playable']))
    expect(elements.size).toBe(1)
    begin({ ...ASSISTANT, session_id: 'other', user_name: 'Somebody' })
    expect(elements.size).toBe(2)
    harness.room.emit('participant-left', { participant: { ...ASSISTANT, session_id: 'other' } })
    expect(elements.size).toBe(1)
    await harness.client.stop()
    expect(elements.size).toBe(0)
    expect(harness.room.sent).toEqual(['playable'])
  })

  it('are left alone when they are video or one’s own', () => {
    begin(ASSISTANT, 'video')
    begin({ ...ASSISTANT, local: true })
    expect(elements.size).toBe(0)
  })

  it('that the browser blocks are told of, and play after a click', async () => {
    refusal = Object.assign(new Error('no gesture'), { name: 'NotAllowedError' })
    begin()
    await vi.waitFor(() => expect(harness.story).toEqual(['audio-blocked']))
    expect(harness.room.sent).toEqual([])
    refusal = undefined
    await harness.client.resumeAudio()
    expect(harness.room.sent).toEqual(['playable'])
  })
})
