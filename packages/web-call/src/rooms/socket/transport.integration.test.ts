import { ManualClock } from '@heyline/kit/manual-clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ScriptedAudioDevice } from '../../testing/scripted-audio-device.js'
import { RoomServer } from './room-server-harness.js'
import { createSocketRoom, type SocketRoomOptions } from './socket-room.js'
import { transportOf } from './transport.js'

beforeAll(() => void vi.stubGlobal('WebSocket', WebSocket))
afterAll(() => void vi.unstubAllGlobals())

it.each([
  ['wss://demo.example/-/rooms/1?secret=x', 'room.v1'],
  ['ws://localhost:3000/prefix/-/rooms/1?resume=x', 'room.v1'],
  ['wss://api.vapi.ai/7420f27a/transport', 'vapi.websocket'],
  ['wss://demo.example/other?to=/-/rooms/', 'vapi.websocket'],
])('%s speaks %s', (url, transport) => {
  expect(transportOf(url)).toBe(transport)
})

describe('a room on the plain transport', () => {
  let server: RoomServer
  beforeEach(async () => {
    server = await RoomServer.open(undefined, { isPlain: true })
  })
  afterEach(() => server.stop())

  async function join(options: SocketRoomOptions = {}) {
    const device = new ScriptedAudioDevice()
    const clock = new ManualClock()
    const room = createSocketRoom(server.url, { device, clock, ...options })
    const heard: unknown[] = []
    const told: string[] = []
    room.on('app-message', ({ data }) => heard.push(data))
    room.on('error', ({ error }) => told.push(`${error?.type}`))
    room.on('left-meeting', () => told.push('left'))
    await room.join({ url: server.url, subscribeToTracksAutomatically: false })
    return { clock, device, room, heard, told }
  }

  it('is joined when it is open, without a subprotocol', async () => {
    const { clock, room } = await join()
    expect([room.meetingState(), server.protocol, room.meetingAddress?.()]).toEqual([
      'joined-meeting',
      '',
      undefined,
    ])
    expect(clock.pending).toBe(0)
  })

  it('would not be, with one that the server does not agree on', async () => {
    await expect(join({ transport: 'room.v1' })).rejects.toMatchObject({ code: 'connection-error' })
  })

  it('takes the first audio for the sign that the assistant listens', async () => {
    const { device, heard } = await join()
    server.send(Uint8Array.of(3, 0))
    server.send('{"type":"transcript"}')
    await vi.waitFor(() => expect(heard).toEqual(['listening', '{"type":"transcript"}']))
    expect(device.playAll()).toEqual([Int16Array.of(3)])
  })

  it('and the first message', async () => {
    const { heard } = await join()
    server.send('{"type":"transcript"}')
    await vi.waitFor(() => expect(heard).toEqual(['listening', '{"type":"transcript"}']))
  })

  it('sends audio and messages, nothing of the room’s own, and hangs up', async () => {
    const { device, room, told } = await join()
    server.send(Uint8Array.of(3, 0))
    await vi.waitFor(() => expect(device.queue).toHaveLength(1))
    device.playAll()
    room.sendAppMessage('playable')
    room.sendAppMessage('{"type":"say"}')
    device.speak(Int16Array.of(1, -2))
    await vi.waitFor(() => expect(server.audio).toHaveLength(1))
    expect([...(server.audio[0] ?? [])]).toEqual([1, 0, 0xfe, 0xff])
    await room.leave()
    await vi.waitFor(() => expect(server.closedWith).toBe(1000))
    expect(server.messages).toEqual([{ type: 'say' }, { type: 'hangup' }])
    expect(told).toEqual(['left'])
  })

  it.each([1000, undefined])('takes a close with the code %s for a regular end', async (code) => {
    const { told } = await join()
    server.close(code)
    await vi.waitFor(() => expect(told).toEqual(['left']))
  })

  it('is over when its connection is lost', async () => {
    const { clock, told } = await join()
    server.cut()
    await vi.waitFor(() => expect(told).toEqual(['connection-error', 'left']))
    expect([server.knocks.length, clock.pending]).toEqual([1, 0])
  })
})
