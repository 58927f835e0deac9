import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MicrophoneError } from './browser/microphone.js'
import { ScriptedRoom } from './testing/scripted-room.js'

const { createCallObject, audios, contexts } = vi.hoisted(() => ({
  createCallObject: vi.fn(),
  audios: [] as { isClosed: boolean; options: unknown; microphone: Promise<unknown> }[],
  /** Audio contexts that the audio thread's code was brought into. */
  contexts: [] as unknown[],
}))
const microphone = { answer: Promise.resolve<unknown>(undefined) }

vi.mock('@daily-co/daily-js', () => ({ default: { createCallObject, version: () => '0.80.0' } }))
vi.mock('./browser/audio-opening.js', () => ({
  AudioOpening: class {
    isClosed = false
    readonly context = { of: this }
    readonly microphone = microphone.answer
    readonly options: unknown

    constructor(options: unknown) {
      this.options = options
      audios.push(this)
    }
    close(): void {
      this.isClosed = true
    }
  },
}))
vi.mock('./rooms/socket/browser-audio.js', () => ({
  BrowserAudio: class {
    readonly close: () => void

    constructor(opening: { close(): void }) {
      this.close = () => opening.close()
    }
  },
  addWorklet: async (context: unknown) => void contexts.push(context),
  preloadWorklet: async () => {
    throw new Error('offline')
  },
}))

const { openCustomRoom, openRoom, preloadRoom, roomKindOf } = await import('./room-opening.js')

let room: ScriptedRoom

beforeEach(() => {
  audios.length = 0
  contexts.length = 0
  microphone.answer = Promise.resolve(undefined)
  vi.stubGlobal('navigator', {})
  room = new ScriptedRoom()
  createCallObject.mockReset().mockReturnValue(room)
})

describe('which room an address stands for', () => {
  it.each([
    ['ws://localhost:3000/-/rooms/1', 'socket'],
    ['wss://demo.example/-/rooms/1?secret=x', 'socket'],
    ['WSS://demo.example/', 'socket'],
    ['https://example.daily.co/room', 'daily'],
    ['https://example.com/ws://', 'daily'],
  ])('%s: %s', (url, kind) => {
    expect(roomKindOf(url)).toBe(kind)
  })
})

describe('a room that is opened in the click', () => {
  it('asks for devices at once, as the client is set', () => {
    openRoom({ audioSource: 'usb', startAudioOff: true }, 'socket')
    expect(audios.map(({ options }) => options)).toEqual([{ audioSource: 'usb', startAudioOff: true }])
  })

  it('begins to load the likely room at once', async () => {
    openRoom({}, 'socket')
    await vi.waitFor(() => expect(contexts).toContainEqual({ of: audios[0] }))
    await openRoom({}, 'daily').create('https://example.daily.co/room', {})
    expect(contexts).not.toContainEqual({ of: audios[1] })
  })

  it('keeps its devices until the room has taken them over', async () => {
    const opening = openRoom({}, 'daily')
    const userData = 'x'.repeat(5000)
    await expect(opening.create('wss://demo.example/', { userData })).rejects.toThrow('userData')
    opening.close()
    expect(audios[0]?.isClosed).toBe(true)
  })

  it('hands its devices to a socket room', async () => {
    const opening = openRoom({}, 'socket')
    const socket = await opening.create('wss://demo.example/', {})
    opening.close()
    expect(audios[0]?.isClosed).toBe(false)
    await socket.destroy()
    expect(audios[0]?.isClosed).toBe(true)
    expect(audios).toHaveLength(1)
  })

  it('makes a Daily room without eval, and lets go of its own devices once that has joined', async () => {
    const opening = openRoom({}, 'daily')
    const options = { audioSource: true, dailyConfig: { micAudioMode: 'speech' } } as const
    expect(await opening.create('https://example.daily.co/room', options)).toBe(room)
    expect(createCallObject.mock.calls).toEqual([
      [
        {
          allowMultipleCallInstances: true,
          audioSource: true,
          dailyConfig: { avoidEval: true, micAudioMode: 'speech' },
        },
      ],
    ])
    expect(audios[0]?.isClosed).toBe(false)
    await room.join({ url: 'https://example.daily.co/room', subscribeToTracksAutomatically: false })
    expect(audios[0]?.isClosed).toBe(true)
  })

  it('says when the microphone is refused, and lets go of its devices', async () => {
    const refusal = new MicrophoneError('denied')
    microphone.answer = Promise.reject(refusal)
    const opening = openRoom({}, 'daily')
    await expect(opening.microphone).rejects.toBe(refusal)
    opening.close()
    expect(audios[0]?.isClosed).toBe(true)
  })
})

it('leaves devices to a room maker of the user’s own', async () => {
  const createRoom = vi.fn(() => room)
  const opening = openCustomRoom(createRoom)
  expect(await opening.create('any', { startAudioOff: true })).toBe(room)
  opening.close()
  expect([createRoom.mock.calls, audios]).toEqual([[['any', { startAudioOff: true }]], []])
})

it('keeps quiet about a preload that fails', async () => {
  await expect(preloadRoom('socket')).resolves.toBeUndefined()
  await expect(preloadRoom('daily')).resolves.toBeUndefined()
})
