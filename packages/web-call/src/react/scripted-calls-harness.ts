import { ManualClock, type RoomScript, ScriptedRoom } from '../testing/index.js'
import type { WebCallClientOptions } from '../web-call-client.js'

/** Options for calls in scripted rooms, on a platform that gives one to whoever asks. */
export class ScriptedCalls {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 1))
  readonly rooms: ScriptedRoom[] = []
  /** The `authorization` of each request for a call. */
  readonly asked: (string | null)[] = []
  readonly options: WebCallClientOptions

  /** `answer` is the platform's; `script` that of each room. */
  constructor({
    answer = () => Response.json({ id: 'call-1', webCallUrl: 'https://example.daily.co/room' }),
    script = {},
  }: { answer?: () => Response | Promise<Response>; script?: RoomScript } = {}) {
    this.options = {
      token: 'public-key',
      baseUrl: 'https://platform.example',
      clock: this.clock,
      fetch: async (_, init) => {
        this.asked.push(new Headers(init?.headers).get('authorization'))
        return answer()
      },
      createRoom: () => {
        const room = new ScriptedRoom(script)
        this.rooms.push(room)
        return room
      },
    }
  }

  /** The room of the latest call. */
  get room(): ScriptedRoom {
    const room = this.rooms.at(-1)
    if (!room) throw new Error('No room was made.')
    return room
  }

  /** How many rooms are joined. */
  get live(): number {
    return this.rooms.filter((room) => room.meetingState() === 'joined-meeting').length
  }

  /** What calls have left behind: rooms that were not destroyed, listeners, timers. */
  get leftovers(): number {
    const kept = this.rooms.filter((room) => !room.wasAsked('destroy')).length
    const listeners = this.rooms.reduce((sum, { listenerCount }) => sum + listenerCount, 0)
    return kept + listeners + this.clock.pending
  }
}
