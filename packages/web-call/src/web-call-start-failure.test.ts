import { describe, expect, it } from 'vitest'
import { CALL, CallHarness, NORMAL_START } from './testing/call-harness.js'

const CREATED = NORMAL_START.slice(0, 3)
const ROOM_MADE = NORMAL_START.slice(0, 5)
const JOINING = NORMAL_START.slice(0, 8)
const FAILED = ['call-start-failed', 'error start-method-error']

describe('a start that fails', () => {
  it('tells what the platform refused, with its status', async () => {
    const refusal = { message: 'Invalid Key', error: 'Unauthorized', statusCode: 401 }
    const harness = new CallHarness({ answer: () => Response.json(refusal, { status: 401 }) })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story).toEqual([...CREATED.slice(0, 2), ...FAILED])
    const context = { hasAssistant: true, hasSquad: false, hasWorkflow: false, isMobile: false }
    expect(harness.payloads('call-start-failed')).toMatchObject([
      [{ stage: 'web-call-creation', error: 'Invalid Key', totalDuration: 0, context }],
    ])
    expect(harness.payloads('error')).toMatchObject([
      [{ type: 'start-method-error', message: 'Invalid Key', error: { status: 401 }, context }],
    ])
  })

  it('tells of a network that fails', async () => {
    const harness = new CallHarness({ answer: () => Promise.reject(new TypeError('fetch failed')) })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story).toEqual([...CREATED.slice(0, 2), ...FAILED])
    expect(harness.payloads('call-start-failed')[0]?.[0].error).toContain('fetch failed')
  })

  it('does not join a call without a room', async () => {
    const harness = new CallHarness({ answer: () => Response.json({ id: 'call-1' }) })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story).toEqual([...CREATED.slice(0, 2), ...FAILED])
    expect(harness.payloads('call-start-failed')[0]?.[0].error).toContain('webCallUrl')
  })

  it('tells of a room that cannot be made', async () => {
    const harness = new CallHarness({
      createRoom: () => {
        throw new Error('no WebRTC')
      },
    })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story).toEqual([
      ...ROOM_MADE.slice(0, 4),
      'daily-call-object-creation failed',
      'error daily-call-object-creation-error',
      ...FAILED,
    ])
    expect(harness.payloads('call-start-progress').at(-1)?.[0].metadata).toEqual({ error: 'no WebRTC' })
    expect(harness.payloads('error')).toMatchObject([[{ message: 'no WebRTC' }], [{ message: 'no WebRTC' }]])
  })

  it.each([
    ['an error', new Error('ICE failed'), 'ICE failed'],
    ['a text', 'Failed to load call object bundle', 'Failed to load call object bundle'],
    ['an event of the room', { errorMsg: 'Not now', error: { type: 'nbf-room', msg: 'x' } }, 'Not now'],
  ])('tells of a join that rejects with %s', async (_name, rejection, text) => {
    const harness = new CallHarness({ scripts: [{ join: () => Promise.reject(rejection) }] })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story).toEqual([
      ...JOINING,
      'daily-call-join failed',
      'error daily-call-join-error',
      ...FAILED,
    ])
    expect(harness.payloads('error').map(([{ message }]) => message)).toEqual([text, text])
    harness.expectNothingLeft()
  })

  it('tells a fatal error of the room during the join as one of the join, and of no call’s end', async () => {
    const join = async (room: { fail(kind: 'meeting-full', text: string): void }) =>
      room.fail('meeting-full', 'Full')
    const harness = new CallHarness({ scripts: [{ join }] })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story).toEqual([
      ...JOINING,
      'daily-call-join failed',
      'error daily-call-join-error',
      ...FAILED,
    ])
    expect(harness.payloads('error')[0]?.[0]).toMatchObject({
      message: 'Full',
      error: { code: 'meeting-full' },
    })
    harness.expectNothingLeft()
  })

  it('tells why there is no microphone', async () => {
    const harness = new CallHarness({
      scripts: [
        {
          async join(room) {
            room.emit('camera-error', { error: { type: 'permissions', msg: 'denied' } })
          },
        },
      ],
    })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story.slice(-4)).toEqual(['daily-call-join failed', 'error microphone-error', ...FAILED])
    expect(harness.payloads('error')[0]?.[0].reason).toBe('denied')
    harness.expectNothingLeft()
  })

  it('can be repaired in the event that tells of it', async () => {
    const answers = [Response.json({ message: 'No' }, { status: 500 }), Response.json(CALL)]
    const harness = new CallHarness({ answer: () => answers.shift() ?? Response.error() })
    const second = new Promise((resolve) =>
      harness.client.on('call-start-failed', () => resolve(harness.client.start({ assistant: 'a' }))),
    )
    await harness.client.start({ assistant: 'a' })
    await expect(second).resolves.toMatchObject({ id: 'call-1' })
  })
})

describe('a part of the start that the call can do without', () => {
  it.each([
    ['audio-observer-setup', { observeLevels: () => Promise.reject(new Error('no levels')) }],
    ['audio-processing-setup', { updateInputSettings: () => Promise.reject(new Error('no filter')) }],
  ])('is told when %s rejects, and the call goes on', async (stage, script) => {
    const harness = new CallHarness({ scripts: [script] })
    await harness.start()
    const rest = harness.story.slice(harness.story.indexOf(`${stage} started`))
    expect(rest.slice(0, 3)).toEqual([`${stage} started`, `${stage} failed`, `error ${stage}-error`])
    expect(rest.at(-1)).toBe('call-start-success')
  })

  it('is told when the recording cannot be started', async () => {
    const startRecording = () => {
      throw new Error('no disk')
    }
    const call = { ...CALL, artifactPlan: { videoRecordingEnabled: true } }
    const harness = new CallHarness({ scripts: [{ startRecording }], answer: () => Response.json(call) })
    await harness.start()
    expect(harness.story).toContain('error video-recording-setup-error')
    expect(harness.story).toContain('call-start-success')
  })
})
