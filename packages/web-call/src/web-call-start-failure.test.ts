import { describe, expect, it } from 'vitest'
import { CALL, CallHarness } from './testing/call-harness.js'
import { CAMERA_ERRORS } from './testing/camera-errors-harness.js'
import { ScriptedRoom } from './testing/scripted-room.js'

const FAILED = ['call-start-failed', 'error start-method-error']

describe('a start that fails', () => {
  it('tells what the platform refused, with its status (defect 18)', async () => {
    const refusal = { message: 'Invalid Key', error: 'Unauthorized', statusCode: 401 }
    const harness = new CallHarness({ answer: () => Response.json(refusal, { status: 401 }) })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
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
    expect(harness.payloads('call-start-failed')[0]?.[0].error).toContain('fetch failed')
  })

  it('says what a call without a room lacks', async () => {
    const harness = new CallHarness({ answer: () => Response.json({ id: 'call-1' }) })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.payloads('call-start-failed')[0]?.[0].error).toContain('webCallUrl')
  })

  it('tells of a room that cannot be made', async () => {
    const harness = new CallHarness({
      createRoom: () => {
        throw new Error('no WebRTC')
      },
    })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
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
    expect(harness.payloads('error').map(([{ message }]) => message)).toEqual([text, text])
    harness.expectNothingLeft()
  })

  it('keeps the kind of a fatal error of the room during the join', async () => {
    const join = async (room: { fail(kind: 'meeting-full', text: string): void }) =>
      room.fail('meeting-full', 'Full')
    const harness = new CallHarness({ scripts: [{ join }] })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
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

  it.each(CAMERA_ERRORS)('does not fail for want of a camera: %j', async (event) => {
    const harness = new CallHarness({ scripts: [{ join: async (room) => room.emit('camera-error', event) }] })
    await harness.start()
    expect(harness.payloads('error')).toEqual([])
  })

  it.each([
    ['a number', 7],
    ['an object', {}],
    ['an empty text', ''],
  ])('finds no room in %s', async (_name, webCallUrl) => {
    const harness = new CallHarness({ answer: () => Response.json({ id: 'call-1', webCallUrl }) })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.payloads('error')).toMatchObject([[{ error: { code: 'no-room-address' } }]])
    expect(harness.rooms).toEqual([])
  })

  const gone = () => {
    throw new Error('gone')
  }

  it.each([
    ['cannot hear the assistant', { updateParticipant: gone }],
    ['cannot be muted', { setLocalAudio: gone }],
  ])('in the last moment of its join ends the call that has begun: %s', async (_name, broken) => {
    const room = Object.assign(new ScriptedRoom(), broken)
    const harness = new CallHarness({ startAudioOff: true, createRoom: () => room })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story.slice(-5)).toEqual([
      'daily-call-join completed',
      ...FAILED,
      'call-end',
      'message status-update',
    ])
    await harness.client.stop()
    expect([harness.clock.pending, room.listenerCount, room.asked.at(-1)]).toEqual([0, 0, ['destroy']])
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

  it('does not end the call that repaired it when its signal is aborted late', async () => {
    const answers = [Response.json({ message: 'No' }, { status: 500 }), Response.json(CALL)]
    const harness = new CallHarness({ answer: () => answers.shift() ?? Response.error() })
    const abort = new AbortController()
    const second = new Promise((resolve) =>
      harness.client.on('call-start-failed', () => {
        resolve(harness.client.start({ assistant: 'b' }))
        abort.abort()
      }),
    )
    await harness.client.start({ assistant: 'a' }, { signal: abort.signal })
    await expect(second).resolves.toMatchObject({ id: 'call-1' })
    await expect(harness.client.start({ assistant: 'c' })).resolves.toBeNull()
    expect(harness.story.at(-1)).toBe('validation failed')
  })
})
