import { ManualClock } from '@heyline/kit/manual-clock'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { MicrophoneError } from '../../browser/microphone.js'
import { ScriptedAudioDevice } from '../../testing/scripted-audio-device.js'
import { type Admission, describeCallRoom } from '../call-room.contract.js'
import { type CallRoom, listenToRoom } from '../call-room.js'
import type { RoomEvents } from '../room-events.js'
import { RoomOptionError } from '../room-option-error.js'
import { RoomServer } from './room-server-harness.js'
import { createSocketRoom } from './socket-room.js'

beforeAll(() => void vi.stubGlobal('WebSocket', WebSocket))
afterAll(() => void vi.unstubAllGlobals())

describeCallRoom('the socket room', async (admission) => {
  const server = await RoomServer.open(admission)
  const device = new ScriptedAudioDevice()
  const other = {
    listen: () => server.tell({ type: 'room.listening' }),
    say: (message: object) => server.send(JSON.stringify(message)),
    end() {
      server.tell({ type: 'room.ended', reason: 'assistant-ended-call' })
      server.close(1000)
    },
    fail: server.fail.bind(server),
    level: (level: number) => device.level(level),
    heard: server.texts,
  }
  const room = createSocketRoom(server.url, { device })
  return { room, url: server.url, other, close: () => server.stop() }
})

describe('the socket room', () => {
  const servers: RoomServer[] = []
  const rooms: CallRoom[] = []

  afterEach(async () => {
    await Promise.all(rooms.splice(0).map((room) => room.destroy()))
    await Promise.all(servers.splice(0).map((server) => server.stop()))
  })

  async function open({ admission = { admit: true }, device = new ScriptedAudioDevice() }: Setup = {}) {
    const server = await RoomServer.open(admission === 'silent' ? undefined : admission)
    servers.push(server)
    const clock = new ManualClock()
    const room = createSocketRoom(server.url, { device, clock })
    rooms.push(room)
    const left: RoomEvents['left-meeting'][] = []
    const errors: RoomEvents['error'][] = []
    room.on('left-meeting', (event) => left.push(event))
    room.on('error', (event) => errors.push(event))
    const join = () => room.join({ url: server.url, subscribeToTracksAutomatically: false })
    return { server, device, clock, room, left, errors, join }
  }
  interface Setup {
    admission?: Admission | 'silent'
    device?: ScriptedAudioDevice
  }

  it('speaks room.v1', async () => {
    const { join, server } = await open()
    await join()
    expect(server.protocol).toBe('room.v1')
  })

  it('carries the microphone’s frames', async () => {
    const { device, join, server } = await open()
    await join()
    device.speak(Int16Array.of(1, -2, 32_767))
    await vi.waitFor(() => expect(server.audio).toHaveLength(1))
    expect([...(server.audio[0] ?? [])]).toEqual([1, 0, 0xfe, 0xff, 0xff, 0x7f])
  })

  it('goes on with silence while the microphone is off', async () => {
    const { device, join, room, server } = await open()
    await join()
    room.setLocalAudio(false)
    device.speak(Int16Array.of(5, 5))
    await vi.waitFor(() => expect(server.audio).toHaveLength(1))
    expect([...(server.audio[0] ?? [])]).toEqual([0, 0, 0, 0])
  })

  it('plays what comes and answers marks and clears', async () => {
    const { device, join, server } = await open()
    await join()
    server.send(Uint8Array.of(1, 0, 2, 0))
    server.tell({ type: 'room.mark', id: 4 })
    await vi.waitFor(() => expect(device.queue).toHaveLength(2))
    expect(server.messages).toEqual([])
    expect(device.playAll()).toEqual([Int16Array.of(1, 2)])
    server.tell({ type: 'room.clear', id: 5 })
    await vi.waitFor(() => expect(server.messages).toHaveLength(3))
    expect(server.messages).toEqual([
      { type: 'room.playable' },
      { type: 'room.played', id: 4 },
      { type: 'room.cleared', id: 5, playedMs: 0 },
    ])
  })

  it('says once that the assistant can be heard, whoever notices', async () => {
    const { device, join, room, server } = await open()
    await join()
    room.sendAppMessage('playable')
    device.play(Int16Array.of(1))
    device.playAll()
    room.sendAppMessage('{"type":"last"}')
    await vi.waitFor(() => expect(server.texts).toContain('{"type":"last"}'))
    expect(server.messages).toEqual([{ type: 'room.playable' }, { type: 'last' }])
  })

  it('refuses a message that is too long', async () => {
    const { join, room } = await open()
    await join()
    expect(() => room.sendAppMessage('x'.repeat(102_401))).toThrow(RangeError)
  })

  it('refuses options that no room takes', async () => {
    const { join, room, server } = await open()
    const userData = 'x'.repeat(5000)
    expect(() => createSocketRoom(server.url, { device: new ScriptedAudioDevice(), userData })).toThrow(
      RoomOptionError,
    )
    await join()
    const settings = { audio: { processor: { type: 'none' } }, video: 'on' } as const
    await expect(room.updateInputSettings(settings)).rejects.toThrow(RoomOptionError)
  })

  it('plays through the loudspeaker that is chosen', async () => {
    const { device, room } = await open()
    await room.setOutputDevice?.('headphones')
    expect(device.outputDevice).toBe('headphones')
  })

  it('says that the browser does not let it play, and plays in the next click', async () => {
    const { device, join, room } = await open()
    const blocked = vi.fn()
    listenToRoom(room, { 'audio-blocked': blocked })
    await join()
    device.block()
    expect(blocked).toHaveBeenCalledOnce()
    await room.resumeAudio?.()
    expect(device.isBlocked).toBe(false)
  })

  it('tells what becomes of a microphone that is lost, and stays', async () => {
    const { device, join, room } = await open()
    const told: unknown[] = []
    listenToRoom(room, {
      'microphone-changed': ({ action }) => void told.push(action),
      'microphone-lost': ({ error }) => void told.push(error.name),
    })
    await join()
    device.changeMicrophone()
    device.loseMicrophone()
    expect(told).toEqual(['microphone-changed', 'MicrophoneError'])
    expect(room.meetingState()).toBe('joined-meeting')
  })

  it('refuses to record', async () => {
    const { join, room } = await open()
    await join()
    const options = { width: 1, height: 1, backgroundColor: '', layout: { preset: 'default' } } as const
    expect(() => room.startRecording(options)).toThrow('no video')
  })

  it('says goodbye when it leaves', async () => {
    const { device, join, room, server } = await open()
    await join()
    await room.leave()
    expect(device.isClosed).toBe(true)
    await vi.waitFor(() => expect(server.closedWith).toBe(1000))
    expect(server.messages).toEqual([{ type: 'room.leave' }])
  })

  it('hands on the platform’s reason for the end', async () => {
    const { device, join, left, server } = await open()
    await join()
    server.tell({ type: 'room.ended', reason: 'silence-timed-out' })
    await vi.waitFor(() =>
      expect(left).toEqual([{ action: 'left-meeting', endedReason: 'silence-timed-out' }]),
    )
    expect(device.isClosed).toBe(true)
  })

  it.each([
    ['exceeded-max-duration', 'This call has ended (exceeded-max-duration).'],
    ['', 'This call has ended.'],
  ])('tells who comes to a call that has ended (%s) why it did', async (reason, message) => {
    const { errors, join, left, server } = await open({ admission: 'silent' })
    const joining = expect(join()).rejects.toMatchObject({ name: 'RoomError', code: 'end-of-life', message })
    await vi.waitFor(() => expect(server.knocks).toHaveLength(1))
    server.tell({ type: 'room.ended', reason })
    server.close(1000)
    await joining
    expect([errors.map(({ errorMsg }) => errorMsg), left]).toEqual([[message], []])
  })

  it('ends with an error after a code of the room, and does not come back', async () => {
    const { device, errors, join, left, room, server } = await open()
    await join()
    server.close(4001, 'Moved')
    await vi.waitFor(() => expect(left).toEqual([{ action: 'left-meeting' }]))
    expect(errors).toMatchObject([{ errorMsg: 'Moved', error: { type: 'ejected' } }])
    expect(server.knocks).toHaveLength(1)
    expect(room.meetingState()).toBe('error')
    expect(device.isClosed).toBe(true)
  })

  it('takes a close without an error for a regular end', async () => {
    const { errors, join, left, server } = await open()
    await join()
    server.close(1000)
    await vi.waitFor(() => expect(left).toEqual([{ action: 'left-meeting' }]))
    expect(errors).toEqual([])
  })

  it('does not knock without a microphone', async () => {
    const device = new ScriptedAudioDevice(new MicrophoneError('denied'))
    const { errors, join, left, server } = await open({ device })
    await expect(join()).rejects.toMatchObject({ name: 'MicrophoneError', reason: 'denied' })
    expect([server.protocol, errors, left]).toEqual([undefined, [], []])
  })

  it('gives up on a platform that does not answer', async () => {
    const { clock, device, join, server } = await open({ admission: 'silent' })
    const joining = expect(join()).rejects.toMatchObject({ code: 'connection-error' })
    await vi.waitFor(() => expect(server.protocol).toBe('room.v1'))
    clock.advance(15_000)
    await joining
    expect([clock.pending, device.isClosed]).toEqual([0, true])
  })

  it('rejects the join when nobody listens there', async () => {
    const { join, server } = await open()
    await server.stop()
    servers.length = 0
    await expect(join()).rejects.toMatchObject({ name: 'RoomError', code: 'connection-error' })
  })

  it('ignores what is no message, and goes on', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { join, left, room, server } = await open()
    const heard: unknown[] = []
    room.on('app-message', ({ data }) => heard.push(data))
    await join()
    server.send('nonsense')
    server.send('{"type":"room.unheard-of"}')
    server.send('{"type":"hang"}')
    await vi.waitFor(() => expect(heard).toEqual(['{"type":"hang"}']))
    expect(warned).toHaveBeenCalledTimes(2)
    expect(left).toEqual([])
    warned.mockRestore()
  })
})
