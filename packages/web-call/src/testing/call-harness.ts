import { ManualClock } from '@heyline/kit/manual-clock'
import { expect } from 'vitest'
import { WebCallClient, type WebCallClientOptions } from '../web-call-client.js'
import type { WebCallEvents } from '../web-call-events.js'
import { CallStory, type Told } from './call-story.js'
import { type RoomScript, ScriptedRoom } from './scripted-room.js'

/** A wait that the test ends. */
export function gate(): { wait: Promise<void>; open(): void } {
  let open = () => {}
  const wait = new Promise<void>((resolve) => {
    open = resolve
  })
  return { wait, open }
}

/** What a platform answers to the creation of a call. */
export const CALL = { id: 'call-1', webCallUrl: 'https://example.daily.co/room' }

/** Stages of a start that goes well, on a desktop and without a recording. */
export const NORMAL_START = [
  'initialization started',
  'web-call-creation started',
  'web-call-creation completed',
  'daily-call-object-creation started',
  'daily-call-object-creation completed',
  'mobile-permissions started',
  'mobile-permissions completed',
  'daily-call-join started',
  'daily-call-join completed',
  'video-recording-setup completed',
  'audio-observer-setup started',
  'audio-observer-setup completed',
  'audio-processing-setup started',
  'audio-processing-setup completed',
  'call-start-success',
]

export interface HarnessOptions extends Partial<WebCallClientOptions> {
  /** The scripts of the rooms, in the order they are made; the last one serves all that follow. */
  scripts?: RoomScript[]
  /** The platform's answer; a promise that the test settles, for one that is slow. */
  answer?: () => Response | Promise<Response>
}

/** A client on scripted rooms and a platform that answers as the test says; notes all that it tells. */
export class CallHarness {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 1))
  readonly rooms: ScriptedRoom[] = []
  readonly requests: { url: string; body: unknown; authorization: string | null; signal?: AbortSignal }[] = []
  readonly client: WebCallClient
  /** What the rooms were made with. */
  readonly made: unknown[][] = []
  readonly #story: CallStory

  constructor({ scripts = [{}], answer = () => Response.json(CALL), ...options }: HarnessOptions = {}) {
    this.client = new WebCallClient({
      token: 'public-key',
      baseUrl: 'https://platform.example',
      clock: this.clock,
      fetch: async (input, init) => {
        const signal = init?.signal ?? undefined
        this.requests.push({
          url: String(input),
          body: JSON.parse(String(init?.body)),
          authorization: new Headers(init?.headers).get('authorization'),
          ...(signal && { signal }),
        })
        signal?.throwIfAborted()
        return Promise.race([
          answer(),
          new Promise<never>((_, reject) =>
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
          ),
        ])
      },
      createRoom: (...given) => {
        this.made.push(given)
        const room = new ScriptedRoom(scripts[Math.min(this.rooms.length, scripts.length - 1)])
        this.rooms.push(room)
        return room
      },
      ...options,
    })
    this.#story = new CallStory(this.client)
  }

  /** The room of the latest call. */
  get room(): ScriptedRoom {
    const room = this.rooms.at(-1)
    if (!room) throw new Error('No room was made.')
    return room
  }

  get told(): Told[] {
    return this.#story.told
  }

  /** What was told since the last time it was forgotten, in short. */
  get story(): string[] {
    return this.#story.lines
  }

  forget(): void {
    this.#story.forget()
  }

  payloads<Name extends keyof WebCallEvents>(name: Name): WebCallEvents[Name][] {
    return this.#story.payloads(name)
  }

  /** Starts a call that goes well. */
  async start(): Promise<void> {
    await expect(this.client.start({ assistant: 'assistant-1' })).resolves.toMatchObject({ id: 'call-1' })
  }

  /** Nothing is left of a call: no listener, no timer, and each room destroyed once. */
  expectNothingLeft(): void {
    expect(this.clock.pending).toBe(0)
    for (const room of this.rooms) {
      expect(room.listenerCount).toBe(0)
      expect(room.asked.filter(([method]) => method === 'destroy')).toHaveLength(1)
    }
  }
}
