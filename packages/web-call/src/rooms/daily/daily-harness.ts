import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FatalErrorKind } from '@heyline/room-protocol'
import { vi } from 'vitest'
import type { Admission, OtherSide } from '../call-room.contract.js'
import { ASSISTANT_NAME } from '../call-room.js'

/** What a call object and the code of its room say to each other, by `postMessage` on their one window. */
interface Message {
  action: string
  callClientId: string
  callbackStamp?: string
  [field: string]: unknown
}

const NAME = 'iframe-call-message'
const ASSISTANT_ID = 'assistant-session'
const track = (state: string) => ({ state, subscribed: true })
const participant = (local: boolean, audio = 'sendable') => ({
  session_id: local ? 'local-session' : ASSISTANT_ID,
  user_name: local ? '' : ASSISTANT_NAME,
  local,
  tracks: { audio: track(audio), video: track('off') },
})

/** A microphone's track. */
export class TestTrack extends EventTarget {
  readonly kind = 'audio'
  readyState = 'live'
  getSettings = () => ({ deviceId: 'default' })

  stop(): void {
    this.readyState = 'ended'
  }

  /** The system takes it away. */
  lose(): void {
    this.readyState = 'ended'
    this.dispatchEvent(new Event('ended'))
  }
}

/** As much of a page as Daily's library uses: a window with messages, and a document that loads scripts. */
class Page extends EventTarget {
  readonly location = new URL('https://page.example/')
  readonly navigator = {
    userAgent: 'Mozilla/5.0 (X11) Chrome/140.0.0.0',
    mediaDevices: Object.assign(new EventTarget(), {
      ondevicechange: null,
      enumerateDevices: async () => [],
      getUserMedia: async () => {
        const [track] = this.microphones.splice(0, 1)
        if (!track) throw Object.assign(new Error('none'), { name: 'NotFoundError' })
        return { getAudioTracks: () => [track] }
      },
    }),
  }
  /** The tracks of the microphones that may be opened, one after the other. */
  readonly microphones: TestTrack[] = []
  readonly scripts: string[] = []
  /** Where Daily's library finds the code of its rooms, by call object; it makes this itself. */
  _daily?: { pendings: string[]; instances: Record<string, { callMachine?: object }> }
  /** Whether the code of the room comes, fails at once, or never answers. */
  bundle: 'loads' | 'fails' | 'hangs' = 'loads'

  readonly document = {
    createElement: () => ({}),
    getElementsByTagName: () => [{ appendChild: (script: Script) => this.#load(script) }],
  }

  postMessage(data: unknown): void {
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
  }

  #load(script: Script): void {
    this.scripts.push(script.src)
    if (this.bundle === 'loads') queueMicrotask(() => script.onload?.())
    if (this.bundle === 'fails') queueMicrotask(() => script.onerror?.({ target: script }))
  }
}

interface Script {
  src: string
  onload?: (() => void) | null
  onerror?: ((event: { target: Script }) => void) | null
}

/**
 * Daily's own library on a scripted room: everything but the code that Daily's servers give out is the real thing.
 * Answers a join as it is admitted, and is the other side of the room in the test's hands.
 */
export class ScriptedDaily implements OtherSide {
  readonly page = new Page()
  /** The track that the code of the room has opened. */
  microphone: TestTrack | undefined
  readonly heard: unknown[] = []
  /** Every message that came from the call object. */
  readonly asked: Message[] = []
  readonly #admission: Admission
  /** How far the room lets in who joins. */
  access: 'full' | 'lobby' | 'none' = 'full'
  #callClientId = ''
  #joined = false

  constructor(admission: Admission = { admit: true }) {
    this.#admission = admission
    vi.stubGlobal('window', this.page)
    vi.stubGlobal('document', this.page.document)
    vi.stubGlobal('navigator', this.page.navigator)
    vi.stubGlobal('MediaStreamTrack', TestTrack)
    // Daily reports some fatal errors to its makers.
    vi.stubGlobal('fetch', async () => new Response())
    this.page.addEventListener('message', (event) => {
      const { data } = event as MessageEvent<Message & { what?: string; from?: string }>
      if (data.what !== NAME || data.from !== 'module') return
      this.#callClientId = data.callClientId
      this.asked.push(data)
      this.#obey(data)
    })
  }

  /** Daily's library as browsers load it; Node would take its other build, which gives no default. */
  static load(): Promise<typeof import('@daily-co/daily-js')> {
    const main = createRequire(import.meta.url).resolve('@daily-co/daily-js')
    return import(pathToFileURL(join(dirname(main), 'daily-esm.js')).href)
  }

  tell(action: string, fields: object = {}): void {
    this.page.postMessage({
      what: NAME,
      from: 'embedded',
      callClientId: this.#callClientId,
      action,
      ...fields,
    })
  }

  listen(): void {
    this.tell('app-message', { data: 'listening', fromId: ASSISTANT_ID })
  }

  say(message: object): void {
    this.tell('app-message', { data: JSON.stringify(message), fromId: ASSISTANT_ID })
  }

  end(): void {
    this.tell('left-meeting')
  }

  fail(type: FatalErrorKind, msg: string): void {
    this.tell('error', { errorMsg: msg, error: { type, msg } })
    if (this.#joined) this.tell('left-meeting')
  }

  level(level: number): void {
    this.tell('remote-participants-audio-level', { participantsAudioLevel: { [ASSISTANT_ID]: level } })
  }

  async close(): Promise<void> {
    vi.unstubAllGlobals()
  }

  #obey({ action, callbackStamp, ...given }: Message): void {
    const answer = (fields: object = {}) => this.tell('answer', { callbackStamp, ...fields })
    if (action === 'join-meeting') this.#admit()
    else if (action === 'leave-meeting') this.tell('left-meeting')
    else if (action === 'app-msg') this.heard.push(given.data)
    else if (action === 'local-audio')
      this.tell('participant-updated', { participant: participant(true, given.state ? 'sendable' : 'off') })
    else if (action === 'update-input-settings') answer({ inputSettings: given.inputSettings })
    else if (callbackStamp) answer()
  }

  #admit(): void {
    const stream = { getAudioTracks: () => [this.microphone], getVideoTracks: () => [] }
    const streams = { cam: { stream } }
    const store = { getState: () => ({ local: { streams, public: {} }, streams: {}, participants: {} }) }
    Object.assign(this.page._daily?.instances[this.#callClientId] ?? {}, { callMachine: { store } })
    this.tell('call-machine-initialized')
    if (!this.#admission.admit) {
      this.fail(this.#admission.kind, 'refused')
      return
    }
    this.#joined = true
    this.tell('access-state-updated', { access: { level: this.access } })
    this.tell('joined-meeting', {
      participants: { local: participant(true), [ASSISTANT_ID]: participant(false) },
    })
    if (this.#admission.listensAtOnce) this.listen()
  }
}
