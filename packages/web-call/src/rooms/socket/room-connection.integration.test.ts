import { ManualClock } from '@heyline/kit/manual-clock'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ScriptedAudioDevice } from '../../testing/scripted-audio-device.js'
import type { CallRoom } from '../call-room.js'
import type { RoomEvents } from '../room-events.js'
import { RoomServer } from './room-server-harness.js'
import { createSocketRoom } from './socket-room.js'

beforeAll(() => void vi.stubGlobal('WebSocket', WebSocket))
afterAll(() => void vi.unstubAllGlobals())

describe('a room that is refused for want of room', () => {
  const open = async () => {
    const server = await RoomServer.open({ admit: false, kind: 'connection-error' })
    const clock = new ManualClock()
    const room = createSocketRoom(server.url, { device: new ScriptedAudioDevice(), clock })
    const joining = room.join({ url: server.url, subscribeToTracksAutomatically: false })
    // How it ends is asked later.
    joining.catch(() => undefined)
    const refused = (times: number) => vi.waitFor(() => expect(server.closes).toBe(times))
    return { server, clock, room, joining, refused }
  }

  it('is tried again, with the same secret, until a server has room', async () => {
    const { server, clock, room, joining, refused } = await open()
    await refused(1)
    clock.advance(250)
    await refused(2)
    server.admission = { admit: true }
    clock.advance(500)
    await joining
    expect(room.meetingState()).toBe('joined-meeting')
    expect(server.knocks.map(String)).toEqual(['secret=x', 'secret=x', 'secret=x'])
    await room.destroy()
    await server.stop()
  })

  it('is given up when the time to join is over', async () => {
    const { server, clock, joining, refused } = await open()
    for (let time = 1; time <= 8; time += 1) {
      await refused(time)
      clock.advance(2_000)
    }
    await expect(joining).rejects.toMatchObject({ code: 'connection-error' })
    await server.stop()
  })
})

describe('a room whose connection is lost', () => {
  const servers: RoomServer[] = []
  const rooms: CallRoom[] = []
  afterEach(async () => {
    vi.restoreAllMocks()
    await Promise.all(rooms.splice(0).map((room) => room.destroy()))
    await Promise.all(servers.splice(0).map((server) => server.stop()))
  })

  async function join(graceMs?: number) {
    const server = await RoomServer.open({ admit: true })
    server.graceMs = graceMs
    servers.push(server)
    const clock = new ManualClock()
    const device = new ScriptedAudioDevice()
    const room = createSocketRoom(server.url, { device, clock })
    rooms.push(room)
    const told: string[] = []
    const ends: RoomEvents['left-meeting'][] = []
    const errors: RoomEvents['error'][] = []
    room.on('network-connection', ({ type, event }) => told.push(`${type} ${event}`))
    room.on('left-meeting', (end) => {
      told.push('left')
      ends.push(end)
    })
    room.on('error', (error) => {
      told.push('error')
      errors.push(error)
    })
    await room.join({ url: server.url, subscribeToTracksAutomatically: false })
    const knocked = (times: number) => vi.waitFor(() => expect(server.knocks).toHaveLength(times))
    const tells = (...expected: string[]) => vi.waitFor(() => expect(told).toEqual(expected))
    /** So many connections have ended, and the room knows why. */
    const refused = (times: number) => vi.waitFor(() => expect(server.closes).toBe(times))
    /** The connection breaks, and whoever comes next is told to come again. */
    const cut = async () => {
      server.admission = { admit: false, kind: 'connection-error' }
      server.cut()
      await refused(2)
    }
    return { clock, device, room, server, told, tells, ends, errors, knocked, refused, cut }
  }
  /** Time for what is under way on the loopback. */
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

  it.each([
    ['is cut', (server: RoomServer) => server.cut()],
    ['goes away', (server: RoomServer) => server.close(1001)],
    ['has to restart', (server: RoomServer) => server.close(1012)],
    ['is closed without a code', (server: RoomServer) => server.close()],
  ])('that %s is joined again with the token, and stays joined', async (_how, lose) => {
    const { room, server, tells } = await join()
    server.send(Uint8Array.of(1, 0))
    server.send('{"type":"hang"}')
    const heard: unknown[] = []
    room.on('app-message', ({ data }) => heard.push(data))
    await vi.waitFor(() => expect(heard).toHaveLength(1))
    lose(server)
    await tells('signaling interrupted', 'signaling connected')
    expect(room.meetingState()).toBe('joined-meeting')
    expect(server.knocks.map(String)).toEqual(['secret=x', 'resume=t1&received=2'])
    server.send('{"type":"back"}')
    await vi.waitFor(() => expect(heard).toEqual(['{"type":"hang"}', '{"type":"back"}']))
    server.cut()
    await tells(
      'signaling interrupted',
      'signaling connected',
      'signaling interrupted',
      'signaling connected',
    )
    expect(String(server.knocks[2])).toBe('resume=t2&received=1')
  })

  it('plays on, says later what it has played, and drops what is said meanwhile', async () => {
    const { clock, cut, device, room, server, tells } = await join()
    server.send(Uint8Array.of(1, 0))
    server.tell({ type: 'room.mark', id: 7 })
    await vi.waitFor(() => expect(device.queue).toHaveLength(2))
    room.setLocalAudio(false)
    await cut()
    expect(device.playAll()).toEqual([Int16Array.of(1)])
    device.speak(Int16Array.of(5))
    room.sendAppMessage('{"type":"say","message":"Bye"}')
    server.admission = { admit: true }
    clock.advance(250)
    await tells('signaling interrupted', 'signaling connected')
    await vi.waitFor(() => expect(server.messages).toHaveLength(3))
    expect(server.messages).toEqual([
      { type: 'room.playable' },
      { type: 'room.played', id: 7 },
      { type: 'say', message: 'Bye' },
    ])
    // A frame of silence says that it is back.
    expect(server.audio).toEqual([Buffer.alloc(640)])
    expect([room.localAudio(), device.isMicrophoneOn]).toEqual([false, false])
    device.speak(Int16Array.of(6))
    await vi.waitFor(() => expect(server.audio).toHaveLength(2))
  })

  it('keeps twenty messages for its return, and refuses the next', async () => {
    const { clock, cut, room, server } = await join()
    await cut()
    for (let count = 0; count < 20; count++) room.sendAppMessage('{"type":"say"}')
    expect(() => room.sendAppMessage('{"type":"say"}')).toThrow('interrupted')
    server.admission = { admit: true }
    clock.advance(250)
    await vi.waitFor(() => expect(server.texts).toHaveLength(20))
  })

  it('tries at once, and then in growing steps until the time is over', async () => {
    const { clock, cut, device, ends, errors, refused, server, tells } = await join()
    await cut()
    let times = 2
    for (const wait of [250, 500, 1000, 2000, 2000, 2000, 2000, 2000, 2000]) {
      clock.advance(wait - 1)
      await settle()
      expect(server.knocks).toHaveLength(times)
      clock.advance(1)
      await refused(++times)
    }
    await tells('signaling interrupted', 'error', 'left')
    expect(errors).toMatchObject([{ error: { type: 'connection-error' } }])
    expect(ends).toEqual([{ action: 'left-meeting' }])
    expect([clock.pending, device.isClosed]).toEqual([0, true])
    expect(server.knocks.slice(1).every((knock) => knock.get('resume') === 't1')).toBe(true)
  })

  it('tries as long as the platform says', async () => {
    const { clock, cut, tells } = await join(700)
    await cut()
    clock.advance(250)
    await tells('signaling interrupted', 'error', 'left')
  })

  it('is lost for good when the platform is gone', async () => {
    const { clock, errors, server, tells, told } = await join()
    await server.stop()
    // Each try fails by itself, whatever the time.
    await vi.waitFor(
      () => {
        clock.advance(500)
        expect(told).toContain('left')
      },
      { interval: 5, timeout: 5000 },
    )
    await tells('signaling interrupted', 'error', 'left')
    expect(errors).toMatchObject([{ error: { type: 'connection-error' } }])
    expect(clock.pending).toBe(0)
  })

  it('does not wait for ever for an answer', async () => {
    const { clock, knocked, server, tells } = await join()
    server.admission = undefined
    server.cut()
    await knocked(2)
    server.admission = { admit: true }
    clock.advance(5000)
    clock.advance(250)
    await tells('signaling interrupted', 'signaling connected')
    expect(server.knocks).toHaveLength(3)
  })

  it.each(['not-allowed', 'end-of-life', 'no-room'] as const)(
    'is lost for good when the room answers %s',
    async (kind) => {
      const { clock, errors, server, tells } = await join()
      server.admission = { admit: false, kind }
      server.cut()
      await tells('signaling interrupted', 'error', 'left')
      expect(errors).toMatchObject([{ error: { type: 'connection-error' } }])
      expect(clock.pending).toBe(0)
    },
  )

  it('ends with the platform’s reason when the call has ended meanwhile', async () => {
    const { ends, knocked, server, tells } = await join()
    server.admission = undefined
    server.cut()
    await knocked(2)
    server.tell({ type: 'room.ended', reason: 'exceeded-max-duration' })
    await tells('signaling interrupted', 'left')
    expect(ends).toEqual([{ action: 'left-meeting', endedReason: 'exceeded-max-duration' }])
  })

  it('is left at once when the person hangs up meanwhile', async () => {
    const { clock, cut, room, server, told } = await join()
    await cut()
    await room.leave()
    clock.advance(60_000)
    await settle()
    expect(told).toEqual(['signaling interrupted', 'left'])
    expect([server.knocks.length, clock.pending]).toEqual([2, 0])
  })

  it('is given up for another connection when it takes nothing for long', async () => {
    const { device, server, tells } = await join()
    const waiting = vi.spyOn(WebSocket.prototype, 'bufferedAmount', 'get').mockReturnValue(100_000)
    for (let frame = 0; frame < 150; frame++) device.speak(new Int16Array(320))
    await settle()
    expect(server.knocks).toHaveLength(1)
    device.speak(new Int16Array(320))
    waiting.mockRestore()
    await tells('signaling interrupted', 'signaling connected')
    expect(String(server.knocks[1])).toBe('resume=t1&received=0')
    // No regular close, which would end the call if it came through after all.
    await vi.waitFor(() => expect(server.closedWith).toBe(4000))
  })

  it('says where it can be joined again, which changes with each return', async () => {
    const { room, server, tells } = await join()
    const address = server.url.replace('secret=x', '')
    expect(room.meetingAddress?.()).toBe(`${address}resume=t1`)
    server.cut()
    await tells('signaling interrupted', 'signaling connected')
    expect(room.meetingAddress?.()).toBe(`${address}resume=t2`)
    await room.leave()
    expect(room.meetingAddress?.()).toBeUndefined()
  })

  it('is joined from another page by that address, which tries again too', async () => {
    const { refused, room, server } = await join()
    const url = room.meetingAddress?.() ?? ''
    const clock = new ManualClock()
    const device = new ScriptedAudioDevice()
    const other = createSocketRoom(url, { device, clock })
    rooms.push(other)
    expect(other.meetingAddress?.()).toBeUndefined()
    server.admission = { admit: false, kind: 'connection-error' }
    const joining = other.join({ url, subscribeToTracksAutomatically: false })
    await refused(1)
    server.admission = { admit: true }
    clock.advance(250)
    await joining
    await vi.waitFor(() => expect(server.audio).toEqual([Buffer.alloc(640)]))
    expect(server.knocks.slice(1).map(String)).toEqual(['resume=t1', 'resume=t1'])
  })
})
