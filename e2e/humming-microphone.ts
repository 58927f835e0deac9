import type { Page } from '@playwright/test'

/** The addresses of the built-in platform's rooms. */
export const ROOM = /\/-\/rooms\//

declare global {
  interface Window {
    /** The microphones that were opened; each hums. */
    microphones: MediaStreamTrack[]
    /** Whether another one may be opened. */
    isMicrophoneThere: boolean
  }
}

/** Microphones that hum all the time. They are no devices, so they have no noise suppression to be told of. */
export const hum = (page: Page) =>
  page.addInitScript(() => {
    window.microphones = []
    window.isMicrophoneThere = true
    MediaStreamTrack.prototype.applyConstraints = async () => {}
    navigator.mediaDevices.getUserMedia = async () => {
      if (!window.isMicrophoneThere) throw new DOMException('Requested device not found', 'NotFoundError')
      const context = new AudioContext()
      const tone = context.createOscillator()
      const microphone = context.createMediaStreamDestination()
      tone.connect(microphone)
      tone.start()
      window.microphones.push(...microphone.stream.getAudioTracks())
      return microphone.stream
    }
  })

/** Takes the latest microphone away, as a system does that tells so by one of the two events. */
export const unplug = (page: Page, event: 'ended' | 'devicechange') =>
  page.evaluate((event) => {
    const track = window.microphones.at(-1)
    track?.stop()
    const target = event === 'ended' ? track : navigator.mediaDevices
    target?.dispatchEvent(new Event(event))
  }, event)

/** Whether the latest frames of the microphone on the wire hold sound. */
export function listenAtWire(page: Page) {
  const frames: boolean[] = []
  page.on('websocket', (socket) => {
    if (!ROOM.test(socket.url())) return
    socket.on('framesent', ({ payload }) => {
      if (typeof payload !== 'string') frames.push(payload.some((byte) => byte !== 0))
    })
  })
  const atWire = () => {
    const latest = frames.slice(-10)
    if (latest.length < 10) return 'nothing yet'
    if (latest.every((isSound) => isSound)) return 'sound'
    return latest.some((isSound) => isSound) ? 'changing' : 'silence'
  }
  return Object.assign(atWire, {
    /** What came before does not count. */
    forget() {
      frames.length = 0
    },
  })
}
