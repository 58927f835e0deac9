import type { PhoneClientMessage } from '@heyline/room-protocol'
import { MicrophoneError } from '@heyline/web-call'
import { ManualClock, type RoomScript, ScriptedAudioDevice, ScriptedRoom } from '@heyline/web-call/testing'
import { describe, expect, it, vi } from 'vitest'
import type { CarrierLineHandlers } from './carrier-line.js'
import { screenOf, shownTexts } from './phone.js'
import { PocketPhone } from './pocket-phone.js'

const RING = { type: 'ring', callId: 'a', from: '+12025550100', to: '+12025550123' } as const
const ANSWERED = { type: 'answered', callId: 'a', roomUrl: 'wss://example.com/-/rooms/1' } as const

/** A phone on a scripted line and a scripted room. */
class Desk implements CarrierLineHandlers {
  readonly sent: PhoneClientMessage[] = []
  readonly rooms: ScriptedRoom[] = []
  readonly devices: ScriptedAudioDevice[] = []
  readonly phone: PocketPhone
  #handlers: CarrierLineHandlers | undefined

  constructor(script: RoomScript = {}) {
    this.phone = new PocketPhone({
      openLine: (handlers) => {
        this.#handlers = handlers
        return { send: (message) => this.sent.push(message), close: () => {} }
      },
      openAudio: () => {
        const device = new ScriptedAudioDevice()
        this.devices.push(device)
        return device
      },
      createRoom: () => {
        const room = new ScriptedRoom(script)
        this.rooms.push(room)
        return room
      },
      clock: new ManualClock(1000),
    })
    this.phone.open()
    this.onLine('open')
  }

  onLine: CarrierLineHandlers['onLine'] = (state) => this.#handlers?.onLine(state)
  onMessage: CarrierLineHandlers['onMessage'] = (message) => this.#handlers?.onMessage(message)

  get screen(): string {
    return screenOf(this.phone.get())
  }

  async talk(): Promise<void> {
    this.onMessage(RING)
    this.phone.answer()
    this.onMessage(ANSWERED)
    await vi.waitFor(() => expect(this.phone.get().call?.stage).toBe('talking'))
  }

  expectReleased(): void {
    expect(this.devices.map(({ isClosed }) => isClosed)).toEqual(this.devices.map(() => true))
    expect(this.rooms.every((room) => room.wasAsked('destroy'))).toBe(true)
  }
}

describe('the pocket phone', () => {
  it('asks for the call it answers, opens its devices in the click, and joins the room', async () => {
    const desk = new Desk()
    desk.onMessage(RING)
    desk.phone.answer()
    expect([desk.devices.length, desk.sent]).toEqual([1, [{ type: 'answer', callId: 'a' }]])
    expect(desk.rooms).toEqual([])
    desk.onMessage(ANSWERED)
    await vi.waitFor(() => expect(desk.phone.get().call?.stage).toBe('talking'))
    expect(desk.rooms[0]?.asked).toContainEqual([
      'join',
      { url: ANSWERED.roomUrl, subscribeToTracksAutomatically: false },
    ])
    expect(desk.phone.get().call?.talkingSince).toBe(1000)
  })

  it('shows how loud the caller is', async () => {
    const desk = new Desk()
    await desk.talk()
    desk.rooms[0]?.level(0.2)
    expect(desk.phone.get().level).toBe(0.2)
  })

  it('hangs up', async () => {
    const desk = new Desk()
    await desk.talk()
    desk.phone.hangUp()
    expect([desk.screen, desk.phone.get().notice]).toEqual(['waiting', 'ended'])
    desk.expectReleased()
  })

  it('waits again when the other side hangs up', async () => {
    const desk = new Desk()
    await desk.talk()
    desk.rooms[0]?.end('assistant-ended-call')
    expect([desk.screen, desk.phone.get().notice]).toEqual(['waiting', 'ended'])
    desk.expectReleased()
  })

  it('goes on talking when the carrier stops the ringing elsewhere', async () => {
    const desk = new Desk()
    await desk.talk()
    desk.onMessage({ type: 'stop', callId: 'a', reason: 'answered-elsewhere' })
    expect(desk.screen).toBe('call')
  })

  it('declines', () => {
    const desk = new Desk()
    desk.onMessage(RING)
    desk.phone.decline()
    expect(desk.sent).toEqual([{ type: 'decline', callId: 'a' }])
    expect([desk.screen, desk.phone.get().notice]).toEqual(['waiting', 'declined'])
  })

  it('lets go when another phone was faster', () => {
    const desk = new Desk()
    desk.onMessage(RING)
    desk.phone.answer()
    desk.onMessage({ type: 'stop', callId: 'a', reason: 'answered-elsewhere' })
    expect([desk.screen, desk.phone.get().notice]).toEqual(['waiting', 'answered-elsewhere'])
    desk.expectReleased()
    desk.onMessage(ANSWERED)
    expect(desk.rooms).toEqual([])
  })

  it('gives the call back when it is hung up before it is connected', () => {
    const desk = new Desk()
    desk.onMessage(RING)
    desk.phone.answer()
    desk.phone.hangUp()
    expect(desk.sent).toEqual([
      { type: 'answer', callId: 'a' },
      { type: 'decline', callId: 'a' },
    ])
    desk.expectReleased()
  })

  it.each([
    ['without a microphone', new MicrophoneError('denied'), 'microphone-denied'],
    ['in a room that cannot be joined', new Error('gone'), 'failed'],
  ])('says what is wrong %s', async (_name, refusal, notice) => {
    const desk = new Desk({ join: () => Promise.reject(refusal) })
    desk.onMessage(RING)
    desk.phone.answer()
    desk.onMessage(ANSWERED)
    await vi.waitFor(() => expect(desk.phone.get().notice).toBe(notice))
    expect(desk.sent.at(-1)).toEqual({ type: 'decline', callId: 'a' })
    desk.expectReleased()
  })

  it('shows a text until it is dismissed, and brings nothing of it to the carrier', () => {
    const desk = new Desk()
    const text = { id: 't', from: '+12025550100', to: '+12025550123', body: 'Your code is 424242' }
    desk.onMessage({ type: 'text', ...text })
    expect([desk.screen, desk.phone.get().texts]).toEqual(['waiting', [text]])
    desk.phone.dismiss('t')
    expect(shownTexts(desk.phone.get())).toEqual([])
    expect(desk.sent).toEqual([])
  })

  it('tells those who listen, until they are taken off', () => {
    const desk = new Desk()
    const listener = vi.fn()
    const stop = desk.phone.subscribe(listener)
    desk.onMessage(RING)
    desk.onMessage(RING)
    expect(listener).toHaveBeenCalledTimes(1)
    stop()
    desk.phone.decline()
    expect(listener).toHaveBeenCalledTimes(1)
  })
})
