import { AudioOpening } from './browser/audio-opening.js'
import { untilAllowed } from './browser/microphone.js'
import type { CallRoom, CreateRoom, RoomOptions } from './rooms/call-room.js'
import { createDailyRoom, preloadDaily } from './rooms/daily/daily-room.js'
import { lazily } from './rooms/lazy-code.js'

const loadSocket = lazily(() => import('./rooms/socket/socket-code.js'))

export type RoomKind = 'daily' | 'socket'

/** Which room an address stands for: a WebSocket's is a socket room, any other Daily's. */
export const roomKindOf = (url: string): RoomKind => (/^wss?:/i.test(url) ? 'socket' : 'daily')

/** Loads what a room needs ahead of the click, and learns whether it may use the microphone. A failure shows when a call is started, so none is told here. */
export function preloadRoom(kind: RoomKind): Promise<void> {
  void untilAllowed()
  return load(kind)
}

/** Never rejects. */
function load(kind: RoomKind, context?: AudioContext): Promise<void> {
  const loading = kind === 'daily' ? preloadDaily() : loadSocket().then((code) => code.addWorklet(context))
  return loading.catch(() => {})
}

/** What a start prepares in the click, while it does not know yet which room the call will be in. */
export interface RoomOpening {
  /** Resolves once the microphone may be used: nobody has to be asked, or the answer was yes. */
  allowed(): Promise<unknown>
  /** Resolves once the microphone is there, or none is needed. Rejects with a `MicrophoneError`. */
  readonly microphone: Promise<unknown>
  /** Makes the room, once the microphone is there; it takes over what it uses. */
  create(url: string, options: RoomOptions): Promise<CallRoom>
  /** Releases what no room has taken over. Idempotent. */
  close(): void
}

/** For a room maker of the user's own: devices and permissions are that room's business. */
export function openCustomRoom(createRoom: CreateRoom): RoomOpening {
  return {
    allowed: async () => {},
    microphone: Promise.resolve(),
    create: async (url, options) => createRoom(url, options),
    close() {},
  }
}

/**
 * For the rooms of this package. Asks for the microphone and makes the audio context at once; a socket room takes both
 * over. Daily opens devices of its own: there the context is closed, and the microphone is held until Daily has joined,
 * so that the permission stays.
 */
export function openRoom(options: RoomOptions, likely: RoomKind): RoomOpening {
  const audio = new AudioOpening(options)
  const { microphone } = audio
  void load(likely, audio.context)
  let taken = false
  return {
    allowed: () => Promise.race([microphone, untilAllowed()]),
    microphone,
    async create(url, roomOptions) {
      if (roomKindOf(url) === 'socket') {
        const { BrowserAudio, createSocketRoom } = await loadSocket()
        const room = createSocketRoom(url, { ...roomOptions, device: new BrowserAudio(audio) })
        taken = true
        return room
      }
      const room = await createDailyRoom(url, roomOptions)
      room.on('joined-meeting', () => audio.close())
      return room
    },
    close() {
      if (!taken) audio.close()
    },
  }
}
