import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallHarness } from './testing/call-harness.js'
import { CAMERA_ERRORS } from './testing/camera-errors-harness.js'
import type { WebCallClient } from './web-call-client.js'

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

  it('is heard although it came during the join (defect 1)', async () => {
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

  it('survives a listener that throws, which is reported once (defect 19)', async () => {
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

  it('is silent where a room measures nothing', () => {
    harness.room.level(Number.NaN)
    expect(harness.told).toEqual([['volume-level', 0]])
  })

  it('does not begin any more when a listener of its volume stops the call', async () => {
    harness.client.on('volume-level', () => void harness.client.stop())
    harness.room.level(0.3)
    await vi.waitFor(() => harness.expectNothingLeft())
    expect(harness.story).toEqual(['volume-level', 'call-end', 'message status-update'])
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

  it('stays muted when it was (defect 21)', async () => {
    harness.client.setMuted(true)
    harness.room.emit('nonfatal-error', { type: 'audio-processor-error', errorMsg: 'filter' })
    await vi.waitFor(() => expect(harness.room.asked.at(-1)?.[0]).toBe('updateInputSettings'))
    await new Promise((resolve) => setTimeout(resolve))
    expect(harness.room.localAudio()).toBe(false)
    expect(harness.room.asked.at(-1)?.[0]).toBe('updateInputSettings')
  })

  it('is muted in a room that forgot it when it was joined', async () => {
    const forgetful = new CallHarness({ scripts: [{ join: async (room) => room.setLocalAudio(true) }] })
    forgetful.client.on('call-start-progress', ({ stage, status }) => {
      if (stage === 'daily-call-join' && status === 'started') forgetful.client.setMuted(true)
    })
    await forgetful.start()
    expect([forgetful.client.isMuted(), forgetful.room.localAudio()]).toEqual([true, false])
  })

  it('tells when its noise filter cannot be turned off', async () => {
    vi.spyOn(harness.room, 'updateInputSettings').mockRejectedValue(new Error('gone'))
    harness.room.emit('nonfatal-error', { type: 'audio-processor-error', errorMsg: 'filter' })
    await vi.waitFor(() => expect(harness.story).toEqual(['error audio-processing-setup-error']))
    expect(harness.payloads('error')[0]?.[0]).toMatchObject({ stage: 'call', message: 'gone' })
  })

  it('tells nothing of its noise filter once the call is over', async () => {
    const failing = vi.fn().mockRejectedValue(new Error('gone'))
    harness.room.updateInputSettings = failing
    harness.room.emit('nonfatal-error', { type: 'audio-processor-error', errorMsg: 'filter' })
    await harness.client.stop()
    await new Promise((resolve) => setTimeout(resolve))
    expect(failing).toHaveBeenCalled()
    expect(harness.payloads('error')).toEqual([])
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

  it.each(CAMERA_ERRORS)('is not lost with the camera: %j', (event) => {
    harness.room.emit('camera-error', event)
    expect(harness.told).toEqual([])
  })

  it.each(['blockedMedia', 'missingMedia', 'failedMedia'])('is lost with the camera: %s', (list) => {
    const error = { type: 'permissions', msg: 'both', [list]: ['video', 'audio'] }
    harness.room.emit('camera-error', { errorMsg: { audioOk: false }, error })
    expect(harness.payloads('error')).toMatchObject([[{ type: 'microphone-error', reason: 'denied' }]])
  })

  it('is not said to be missing where nobody knows', () => {
    harness.room.emit('camera-error', { error: { type: 'unknown', msg: 'boom' } })
    const [[event] = []] = harness.payloads('error')
    expect(event).toMatchObject({
      type: 'microphone-error',
      message: expect.stringMatching(/not be opened.*boom/),
    })
    expect(event).not.toHaveProperty('reason')
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

  it('need a joined call: before, after and during its start they are refused (defect 23)', async () => {
    const { client } = new CallHarness({ scripts: [{ join: () => new Promise(() => {}) }] })
    const refused = (call: WebCallClient) => {
      expect(() => call.say('Hello')).toThrow('Call object is not available.')
      expect(() => call.send({ type: 'end-call' })).toThrow('Call object is not available.')
    }
    refused(client)
    expect(() => client.setMuted(true)).toThrow('Call object is not available.')
    await expect(client.resumeAudio()).rejects.toThrow('Call object is not available.')
    const joining = new Promise<void>((resolve) =>
      client.on('call-start-progress', ({ stage }) => {
        if (stage === 'daily-call-join') resolve()
      }),
    )
    void client.start({ assistant: 'a' })
    refused(client)
    expect(() => client.setMuted(true)).toThrow('Call object is not available.')
    await joining
    refused(client)
    client.setMuted(true)
    expect(client.isMuted()).toBe(true)
    await client.stop()
    refused(client)
    expect(client.isMuted()).toBe(false)
  })

  it('that the room finds too long throw what the room says (defect 23)', () => {
    const tooLong = new RangeError('Message data too large')
    vi.spyOn(harness.room, 'sendAppMessage').mockImplementation(() => {
      throw tooLong
    })
    expect(() => harness.client.say('Hello')).toThrow(tooLong)
  })
})
