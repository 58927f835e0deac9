import { ManualClock } from '@heyline/kit/manual-clock'
import { operations } from '@heyline/platform-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CALL, CallHarness, NORMAL_START } from './testing/call-harness.js'
import { ASSISTANT } from './testing/scripted-room.js'
import { WebCallClient } from './web-call-client.js'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a start', () => {
  it('tells its stages in order', async () => {
    const harness = new CallHarness()
    await harness.start()
    expect(harness.story).toEqual(NORMAL_START)
    expect(harness.payloads('call-start-progress').map(([{ metadata }]) => metadata)).toEqual([
      { hasAssistant: true, hasSquad: false, hasWorkflow: false },
      undefined,
      { callId: 'call-1', videoRecordingEnabled: false, voiceProvider: 'unknown' },
      { audioSource: true, videoSource: false, isVideoRecordingEnabled: false, isVideoEnabled: false },
      undefined,
      { isMobile: false },
      { action: 'skipped-not-mobile' },
      undefined,
      undefined,
      { action: 'skipped-not-enabled' },
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(harness.payloads('call-start-success')).toEqual([
      [{ totalDuration: 0, callId: 'call-1', timestamp: '2026-01-01T00:00:00.000Z' }],
    ])
  })

  it('creates the call with the key and joins its room', async () => {
    const createWeb = operations.find(({ resource, name }) => resource === 'calls' && name === 'createWeb')
    const harness = new CallHarness()
    await harness.start()
    expect(harness.requests).toMatchObject([
      {
        url: `https://platform.example${createWeb?.path}`,
        authorization: 'Bearer public-key',
        body: { assistantId: 'assistant-1' },
      },
    ])
    expect(harness.made).toEqual([[CALL.webCallUrl, { audioSource: true, videoSource: false }]])
    expect(harness.room.asked).toEqual([
      ['join', { url: CALL.webCallUrl, subscribeToTracksAutomatically: false }],
      ['updateParticipant', 'assistant', { setSubscribedTracks: { audio: true, video: false } }],
      ['startRemoteParticipantsAudioLevelObserver', 100],
      ['updateInputSettings', { audio: { processor: { type: 'noise-cancellation' } } }],
    ])
  })

  it.each([
    ['ids', { squad: 's', workflow: 'w' }, { squadId: 's', workflowId: 'w' }],
    [
      'inline objects',
      {
        assistant: { firstMessage: 'Hi' },
        squad: { members: [] },
        workflow: { name: 'w', nodes: [], edges: [] },
      },
      {
        assistant: { firstMessage: 'Hi' },
        squad: { members: [] },
        workflow: { name: 'w', nodes: [], edges: [] },
      },
    ],
    ['no empty texts', { assistant: '', squad: 's', workflow: '' }, { squadId: 's' }],
    [
      'overrides',
      {
        assistant: 'a',
        assistantOverrides: { firstMessage: 'Hey' },
        workflowOverrides: { variableValues: { name: 'Ada' } },
      },
      {
        assistantId: 'a',
        assistantOverrides: { firstMessage: 'Hey' },
        workflowOverrides: { variableValues: { name: 'Ada' } },
      },
    ],
  ])('sends %s', async (_name, input, body) => {
    const harness = new CallHarness()
    await harness.client.start(input)
    expect(harness.requests[0]?.body).toEqual(body)
  })

  it('waits a second on a mobile device, for its permissions', async () => {
    vi.stubGlobal('navigator', { userAgent: 'iPhone' })
    const harness = new CallHarness()
    const started = harness.start()
    await vi.waitFor(() => expect(harness.story.at(-1)).toBe('mobile-permissions started'))
    harness.clock.advance(999)
    expect(harness.room.wasAsked('join')).toBe(false)
    harness.clock.advance(1)
    await started
    const waited = harness.payloads('call-start-progress').find(([{ duration }]) => duration === 1000)
    expect(waited?.[0]).toMatchObject({
      stage: 'mobile-permissions',
      status: 'completed',
      metadata: { action: 'permissions-wait' },
    })
  })

  it('records where the assistant does, and has it begin when the recording runs, once (defect 24)', async () => {
    const call = { ...CALL, artifactPlan: { videoRecordingEnabled: true } }
    const harness = new CallHarness({ answer: () => Response.json(call) })
    await harness.start()
    expect(harness.story).toContain('video-recording-setup started')
    expect(harness.room.asked).toContainEqual([
      'startRecording',
      { width: 1280, height: 720, backgroundColor: '#FF1F2D3D', layout: { preset: 'default' } },
    ])
    expect(harness.room.asked).toContainEqual([
      'updateParticipant',
      'assistant',
      { setSubscribedTracks: { audio: true, video: true } },
    ])
    harness.clock.advance(1500)
    harness.room.emit('recording-started', {})
    harness.room.emit('recording-started', {})
    expect(harness.room.sent.map((text): unknown => JSON.parse(String(text)))).toEqual([
      { type: 'control', control: 'say-first-message', videoRecordingStartDelaySeconds: 1.5 },
    ])
    expect(harness.payloads('call-start-progress').at(-1)).toMatchObject([
      { stage: 'video-recording-started', status: 'completed', metadata: { delaySeconds: 1.5 } },
    ])
    await harness.client.stop()
    expect(harness.room.wasAsked('stopRecording')).toBe(true)
  })

  it('says nothing to an assistant whose call is stopped when its recording runs', async () => {
    const call = { ...CALL, artifactPlan: { videoRecordingEnabled: true } }
    const harness = new CallHarness({ answer: () => Response.json(call) })
    await harness.start()
    harness.client.on('call-start-progress', () => void harness.client.stop())
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    harness.room.emit('recording-started', {})
    expect([harness.room.sent, reported.mock.calls]).toEqual([[], []])
  })

  it('subscribes once to somebody who is in the room when it is joined', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.room.emit('participant-joined', { participant: ASSISTANT })
    harness.room.emit('participant-joined', { participant: { ...ASSISTANT, session_id: 'other' } })
    const subscribed = harness.room.asked.flatMap(([method, id]) =>
      method === 'updateParticipant' ? [id] : [],
    )
    expect(subscribed).toEqual(['assistant', 'other'])
  })

  it('receives the video of an assistant that is seen', async () => {
    const call = { ...CALL, assistant: { voice: { provider: 'tavus' } } }
    const harness = new CallHarness({ answer: () => Response.json(call) })
    await harness.start()
    expect(harness.payloads('call-start-progress')[2]?.[0].metadata).toMatchObject({ voiceProvider: 'tavus' })
    expect(harness.room.asked).toContainEqual([
      'updateParticipant',
      'assistant',
      { setSubscribedTracks: { audio: true, video: true } },
    ])
  })

  it('gives the room the microphone settings of the client (defect 22)', async () => {
    const harness = new CallHarness({ audioSource: 'device-2', startAudioOff: true })
    await harness.start()
    expect(harness.made[0]?.[1]).toMatchObject({ audioSource: 'device-2', startAudioOff: true })
    expect(harness.client.isMuted()).toBe(true)
  })

  it.each(['{}', '{"assistant": ""}', 'null', undefined])('needs something to call: %s', async (text) => {
    const harness = new CallHarness()
    // As code without types calls it.
    await expect(harness.client.start(text && JSON.parse(text))).rejects.toThrow(
      'Assistant or Squad or Workflow must be provided.',
    )
    expect(harness.payloads('error')).toMatchObject([
      [
        {
          type: 'validation-error',
          stage: 'input-validation',
          message: 'Assistant or Squad or Workflow must be provided.',
        },
      ],
    ])
    expect(harness.requests).toEqual([])
  })

  it('returns nothing while a call runs already', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.forget()
    await expect(harness.client.start({ assistant: 'b' })).resolves.toBeNull()
    expect(harness.payloads('call-start-progress')).toMatchObject([
      [{ stage: 'validation', status: 'failed', metadata: { reason: 'already-started' } }],
    ])
    expect(harness.requests).toHaveLength(1)
  })

  it('may follow one that failed, and needs no listener for its errors (defect 17)', async () => {
    const answers = [Response.json({ message: 'No' }, { status: 401 }), Response.json(CALL)]
    const harness = new CallHarness({ answer: () => answers.shift() ?? Response.error() })
    harness.client.off('error')
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.payloads('error')).toEqual([])
    harness.forget()
    await harness.start()
    expect(harness.story).toEqual(NORMAL_START)
    harness.room.fail('connection-error', 'Gone')
    expect(harness.story.slice(-2)).toEqual(['call-end', 'message status-update'])
  })

  it('tells a microphone track in words, since no event may carry one (defect 29)', async () => {
    const track = { kind: 'audio', stop() {} }
    expect(() => structuredClone(track)).toThrow()
    const harness = new CallHarness({ audioSource: Object.assign(Object.create(null), track) })
    await harness.start()
    expect(harness.story).toEqual(NORMAL_START)
    expect(harness.payloads('call-start-progress')[3]?.[0].metadata).toMatchObject({ audioSource: 'track' })
    expect(harness.made[0]?.[1]).toMatchObject({ audioSource: { kind: 'audio' } })
  })
})

describe('two clients', () => {
  it('do not mix their keys, rooms or events (defect 16)', async () => {
    const one = new CallHarness({ token: 'key-1' })
    const other = new CallHarness({ token: 'key-2' })
    await Promise.all([one.start(), other.start()])
    one.room.hear('listening')
    expect(one.story).toContain('call-start')
    expect(other.story).not.toContain('call-start')
    await one.client.stop()
    expect(other.story).toEqual(NORMAL_START)
    expect([one.requests[0]?.authorization, other.requests[0]?.authorization]).toEqual([
      'Bearer key-1',
      'Bearer key-2',
    ])
  })
})

describe('the room whose code is loaded ahead', () => {
  const likely = (baseUrl?: string) =>
    new WebCallClient({ token: 't', ...(baseUrl && { baseUrl }) }).likelyRoom

  it('is Daily’s on the hosted platform, and a socket room on another', () => {
    expect([likely(), likely('https://api.vapi.ai/'), likely('https://platform.example')]).toEqual([
      'daily',
      'daily',
      'socket',
    ])
  })

  it('is a socket room on a platform that the page itself serves', () => {
    vi.stubGlobal('location', { href: 'https://page.example/demo' })
    expect(likely('/-/platform')).toBe('socket')
    vi.unstubAllGlobals()
  })
})

it('touches nothing of a browser before a call', () => {
  expect(typeof document).toBe('undefined')
  expect(() => new WebCallClient({ token: 't', clock: new ManualClock() })).not.toThrow()
})
