import type { PhoneClientMessage } from '@heyline/room-protocol'
import { MicrophoneError } from '@heyline/web-call'
import { ManualClock, type RoomScript, ScriptedAudioDevice, ScriptedRoom } from '@heyline/web-call/testing'
import { describe, expect, it, vi } from 'vitest'
import type { HistoryEntry } from './call-history.js'
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
  readonly history: HistoryEntry[] = []
  readonly clock = new ManualClock(1000)
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
      clock: this.clock,
      history: { add: (entry) => void this.history.push(entry) },
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

  it('mutes the call, also one that is not joined yet', async () => {
    const desk = new Desk()
    desk.onMessage(RING)
    desk.phone.setMuted(true)
    expect(desk.phone.get().call).toBeUndefined()
    desk.phone.answer()
    desk.phone.setMuted(true)
    desk.onMessage(ANSWERED)
    await vi.waitFor(() => expect(desk.phone.get().call?.stage).toBe('talking'))
    expect(desk.rooms[0]?.localAudio()).toBe(false)
    desk.phone.setMuted(false)
    expect([desk.rooms[0]?.localAudio(), desk.phone.get().call?.isMuted]).toEqual([true, false])
  })

  it('sends keys into the call once people talk, and into nothing else', async () => {
    const desk = new Desk()
    expect(desk.phone.press('1')).toBe(false)
    await desk.talk()
    expect([desk.phone.press('5'), desk.phone.press('#')]).toEqual([true, true])
    expect(desk.rooms[0]?.sent).toEqual(['{"type":"room.key","key":"5"}', '{"type":"room.key","key":"#"}'])
    desk.phone.hangUp()
    expect(desk.phone.press('1')).toBe(false)
  })

  it('says that a call is interrupted and back, and tells a cut call from one that failed otherwise', async () => {
    const desk = new Desk()
    await desk.talk()
    desk.rooms[0]?.connection('interrupted')
    expect(desk.phone.get().call?.isInterrupted).toBe(true)
    desk.rooms[0]?.connection('connected')
    expect([desk.phone.get().call?.isInterrupted, desk.phone.get().isBack]).toEqual([false, true])
    desk.clock.advance(4_999)
    expect(desk.phone.get().isBack).toBe(true)
    desk.clock.advance(1)
    expect(desk.phone.get().isBack).toBeUndefined()
    desk.rooms[0]?.fail('connection-error', 'lost')
    expect([desk.screen, desk.phone.get().notice]).toEqual(['waiting', 'cut-off'])
    desk.expectReleased()
    const other = new Desk()
    await other.talk()
    other.rooms[0]?.fail('ejected', 'put out')
    expect(other.phone.get().notice).toBe('failed')
  })

  it('says for five seconds that a line is back, however often it was lost', () => {
    const desk = new Desk()
    desk.onLine('lost')
    desk.onLine('open')
    desk.clock.advance(4_000)
    desk.onLine('lost')
    desk.onLine('open')
    desk.clock.advance(4_999)
    expect(desk.phone.get().isBack).toBe(true)
    desk.clock.advance(1)
    expect(desk.phone.get().isBack).toBeUndefined()
  })

  it('writes down what became of each call, once', async () => {
    const call = { callId: 'a', from: RING.from, to: RING.to }
    const answered = new Desk()
    await answered.talk()
    answered.clock.advance(65_400)
    answered.phone.hangUp()
    expect(answered.history).toEqual([{ ...call, at: 66_400, outcome: 'answered', seconds: 65 }])
    const declined = new Desk()
    declined.onMessage(RING)
    declined.phone.decline()
    expect(declined.history).toEqual([{ ...call, at: 1000, outcome: 'declined' }])
    for (const [reason, outcome] of [
      ['no-answer', 'missed'],
      ['canceled', 'missed'],
      ['answered-elsewhere', 'answered-elsewhere'],
    ] as const) {
      const desk = new Desk()
      desk.onMessage(RING)
      desk.onMessage({ type: 'stop', callId: 'a', reason })
      expect(desk.history).toEqual([{ ...call, at: 1000, outcome }])
    }
    const late = new Desk()
    late.onMessage(RING)
    late.phone.answer()
    late.onMessage({ type: 'stop', callId: 'a', reason: 'answered-elsewhere' })
    expect(late.history).toMatchObject([{ outcome: 'answered-elsewhere' }])
    const lost = new Desk()
    lost.onMessage(RING)
    lost.onMessage({ ...RING, callId: 'b' })
    lost.onLine('lost')
    expect(lost.history).toMatchObject([
      { callId: 'a', outcome: 'missed' },
      { callId: 'b', outcome: 'missed' },
    ])
    const cut = new Desk()
    await cut.talk()
    cut.rooms[0]?.fail('connection-error', 'lost')
    expect(cut.history).toMatchObject([{ outcome: 'cut-off', seconds: 0 }])
    const failed = new Desk({ join: () => Promise.reject(new MicrophoneError('denied')) })
    failed.onMessage(RING)
    failed.phone.answer()
    failed.onMessage(ANSWERED)
    await vi.waitFor(() => expect(failed.history).toMatchObject([{ outcome: 'failed' }]))
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
